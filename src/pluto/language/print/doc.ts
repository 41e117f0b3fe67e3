/**
 * A text with possible line breaks. A group is printed on one line if it fits and nothing in it forces a break; otherwise all of its lines
 * break.
 */
export type Doc =
  | string
  | { readonly kind: 'concat'; readonly parts: readonly Doc[]; readonly breaks: boolean }
  | { readonly kind: 'nest'; readonly doc: Doc; readonly breaks: boolean }
  | { readonly kind: 'group'; readonly doc: Doc; readonly breaks: boolean }
  /** A line break, or `flat` while its group is on one line. With `breaks` it always breaks; `isBlank` leaves an empty line too. */
  | { readonly kind: 'line'; readonly flat: string; readonly breaks: boolean; readonly isBlank: boolean }
  /** `text` where the group around is broken. */
  | { readonly kind: 'ifBroken'; readonly text: string; readonly breaks: false };

export const hasBreak = (doc: Doc): boolean => typeof doc !== 'string' && doc.breaks;

export const concat = (...parts: readonly Doc[]): Doc => concatAll(parts);
/** `concat` for lists of any length: a call cannot have 100,000 arguments. */
export const concatAll = (parts: readonly Doc[]): Doc => ({ kind: 'concat', parts, breaks: parts.some(hasBreak) });
export const nest = (doc: Doc): Doc => ({ kind: 'nest', doc, breaks: hasBreak(doc) });
export const group = (doc: Doc): Doc => ({ kind: 'group', doc, breaks: hasBreak(doc) });
export const ifBroken = (text: string): Doc => ({ kind: 'ifBroken', text, breaks: false });
/** A space or a break. */
export const line: Doc = { kind: 'line', flat: ' ', breaks: false, isBlank: false };
/** Nothing or a break. */
export const softLine: Doc = { kind: 'line', flat: '', breaks: false, isBlank: false };
export const hardLine: Doc = { kind: 'line', flat: '', breaks: true, isBlank: false };
export const blankLine: Doc = { kind: 'line', flat: '', breaks: true, isBlank: true };

const WIDTH = 100;
const INDENT = '    ';

interface Frame {
  readonly doc: Doc;
  readonly indent: number;
  readonly isFlat: boolean;
}

/** Renders a document as text. Empty lines get no indentation. */
export function render(doc: Doc, width = WIDTH): string {
  const out: string[] = [];
  let column = 0;
  let pendingIndent = 0;
  const stack: Frame[] = [{ doc, indent: 0, isFlat: false }];
  for (let frame = stack.pop(); frame !== undefined; frame = stack.pop()) {
    const { indent, isFlat } = frame;
    const node = frame.doc;
    if (typeof node === 'string') {
      if (node === '') continue;
      if (pendingIndent > 0) out.push(INDENT.repeat(pendingIndent));
      pendingIndent = 0;
      out.push(node);
      const newline = node.lastIndexOf('\n');
      column = newline < 0 ? column + node.length : node.length - newline - 1;
      continue;
    }
    switch (node.kind) {
      case 'concat':
        for (let index = node.parts.length - 1; index >= 0; index -= 1)
          stack.push({ doc: node.parts[index] ?? '', indent, isFlat });
        break;
      case 'nest':
        stack.push({ doc: node.doc, indent: indent + 1, isFlat });
        break;
      case 'group':
        stack.push({
          doc: node.doc,
          indent,
          isFlat: isFlat || (!node.breaks && fits(node.doc, width - column, stack)),
        });
        break;
      case 'ifBroken':
        if (!isFlat) stack.push({ doc: node.text, indent, isFlat });
        break;
      case 'line':
        if (isFlat && !node.breaks) stack.push({ doc: node.flat, indent, isFlat });
        else {
          out.push(node.isBlank ? '\n\n' : '\n');
          pendingIndent = indent;
          column = indent * INDENT.length;
        }
    }
  }
  return out.join('');
}

/** Whether the document and what follows it up to the next break stay within `room`. */
function fits(doc: Doc, room: number, rest: readonly Frame[]): boolean {
  let left = room;
  let restAt = rest.length;
  const stack: { doc: Doc; isFlat: boolean }[] = [{ doc, isFlat: true }];
  for (;;) {
    const top = stack.pop();
    if (top === undefined) {
      restAt -= 1;
      const frame = rest[restAt];
      if (frame === undefined) return true;
      stack.push(frame);
      continue;
    }
    const node = top.doc;
    if (typeof node === 'string') {
      const newline = node.indexOf('\n');
      left -= newline < 0 ? node.length : newline;
      if (left < 0) return false;
      if (newline >= 0) return true;
      continue;
    }
    switch (node.kind) {
      case 'concat':
        for (let index = node.parts.length - 1; index >= 0; index -= 1)
          stack.push({ doc: node.parts[index] ?? '', isFlat: top.isFlat });
        break;
      case 'nest':
        stack.push({ doc: node.doc, isFlat: top.isFlat });
        break;
      case 'group':
        stack.push({ doc: node.doc, isFlat: top.isFlat || !node.breaks });
        break;
      case 'ifBroken':
        if (!top.isFlat) left -= node.text.length;
        break;
      case 'line':
        if (node.breaks || !top.isFlat) return true;
        left -= node.flat.length;
    }
    if (left < 0) return false;
  }
}
