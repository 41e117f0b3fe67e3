import type { Block } from '../syntax/ast/code.ts';
import type { Comment } from '../syntax/ast/decl.ts';
import type { Span } from '../syntax/ast/span.ts';
import {
  blankLine,
  concat,
  concatAll,
  type Doc,
  group,
  hardLine,
  hasBreak,
  ifBroken,
  line,
  nest,
  softLine,
} from './doc.ts';

/** The position of the printer in the comments of the text. Returns every comment exactly once, in order. */
export class Layout {
  /** Empty for a tree that was not parsed from text. */
  readonly text: string;
  readonly printBlock: (layout: Layout, block: Block) => Doc;
  readonly #comments: readonly Comment[];
  #next = 0;

  constructor(text: string, comments: readonly Comment[], printBlock: (layout: Layout, block: Block) => Doc) {
    this.text = text;
    this.#comments = comments;
    this.printBlock = printBlock;
  }

  get isSynthetic(): boolean {
    return this.text === '';
  }

  slice({ start, end }: Span): string {
    return this.text.slice(start, end);
  }

  skipCommentsBefore(offset: number): void {
    while ((this.#comments[this.#next]?.start ?? Infinity) < offset) this.#next += 1;
  }

  /** The comments before `offset` that were not returned yet. */
  commentsBefore(offset: number): readonly Comment[] {
    const from = this.#next;
    while ((this.#comments[this.#next]?.start ?? Infinity) < offset) this.#next += 1;
    return this.#comments.slice(from, this.#next);
  }

  hasCommentBefore(offset: number): boolean {
    return (this.#comments[this.#next]?.start ?? Infinity) < offset;
  }

  /** The comment at the end of the line of `offset`, if only commas and closing brackets precede it. */
  commentAfter(offset: number): Doc {
    const comment = this.#comments[this.#next];
    if (comment === undefined || comment.start < offset) return '';
    if (!/^[ \t,]*$/.test(this.text.slice(offset, comment.start))) return '';
    this.#next += 1;
    return concat(' ', this.comment(comment));
  }

  /** The text of a comment, without spaces at its end. The caller must break the line after it. */
  comment(comment: Comment): Doc {
    return this.slice(comment).trimEnd();
  }

  /** Whether an empty line precedes `offset`. */
  hasBlankLineBefore(offset: number): boolean {
    let newlines = 0;
    for (let at = offset - 1; at >= 0; at -= 1) {
      const code = this.text.charCodeAt(at);
      if (code === 10) newlines += 1;
      else if (code !== 32 && code !== 9 && code !== 13) break;
      if (newlines === 2) return true;
    }
    return false;
  }
}

/** One line of a body with the comments above it. */
export interface Entry {
  readonly doc: Doc;
  /** An empty line precedes it, unless it is the first one. */
  readonly hasBlankLine: boolean;
}

/** The comments before `offset`, each on a separate line. */
function commentEntries(layout: Layout, offset: number): Entry[] {
  return layout
    .commentsBefore(offset)
    .map(comment => ({ doc: layout.comment(comment), hasBlankLine: layout.hasBlankLineBefore(comment.start) }));
}

/**
 * Each item with its comments, and the comments after the last one up to `end`. `wantsBlank` may require more empty lines than the text
 * has.
 */
export function entriesOf<T extends Span>(
  layout: Layout,
  items: readonly T[],
  end: number,
  print: (item: T) => Doc,
  wantsBlank: (before: T, item: T) => boolean = () => false,
): Entry[] {
  const entries: Entry[] = [];
  for (const [index, item] of items.entries()) {
    const comments = commentEntries(layout, item.start);
    const before = items[index - 1];
    const isWanted = before !== undefined && wantsBlank(before, item);
    const own = { hasBlankLine: layout.hasBlankLineBefore(item.start), doc: print(item) };
    const doc = concat(own.doc, layout.commentAfter(item.end));
    const all: Entry[] = [...comments, { ...own, doc }];
    const [first] = all;
    if (first !== undefined && isWanted) all[0] = { ...first, hasBlankLine: true };
    entries.push(...all);
  }
  return [...entries, ...commentEntries(layout, end)];
}

export const joinEntries = (entries: readonly Entry[]): Doc =>
  concatAll(
    entries.map(({ doc, hasBlankLine }, index) =>
      index === 0 ? doc : concat(hasBlankLine ? blankLine : hardLine, doc),
    ),
  );

/** `{` … `}` with one entry per line. */
export const body = (entries: readonly Entry[]): Doc =>
  entries.length === 0 ? '{}' : concat('{', nest(concat(hardLine, joinEntries(entries))), hardLine, '}');

export interface Brackets {
  readonly open: string;
  readonly close: string;
  /** `line` adds a space inside the brackets on one line. */
  readonly pad: Doc;
}

export const parens: Brackets = { open: '(', close: ')', pad: softLine };
export const square: Brackets = { open: '[', close: ']', pad: softLine };
export const braces: Brackets = { open: '{', close: '}', pad: line };

/** Elements separated by commas: on one line, or each on a separate line with a comma after it. `end`: the end of the list in the text. */
export function list<T extends Span>(
  layout: Layout,
  { open, close, pad }: Brackets,
  items: readonly T[],
  end: number,
  print: (item: T) => Doc,
): Doc {
  const parts: Doc[] = [];
  let hasComments = false;
  for (const [index, item] of items.entries()) {
    if (index > 0) parts.push(line);
    for (const comment of layout.commentsBefore(item.start)) {
      parts.push(layout.comment(comment), hardLine);
      hasComments = true;
    }
    const isLast = index === items.length - 1;
    parts.push(print(item), isLast ? ifBroken(',') : ',');
    const after = layout.commentAfter(item.end);
    if (after === '') continue;
    hasComments = true;
    parts.push(after);
  }
  const dangling = layout.commentsBefore(end);
  for (const [index, comment] of dangling.entries()) {
    if (index > 0 || items.length > 0) parts.push(hardLine);
    parts.push(layout.comment(comment));
  }
  if (parts.length === 0) return open + close;
  if (hasComments || dangling.length > 0)
    return concat(open, nest(concat(hardLine, concatAll(parts.map(hardened)))), hardLine, close);
  const last = parts.length - 2;
  if (
    pad === softLine &&
    items.length > 0 &&
    parts.every((part, at) => at === last || !hasBreak(part)) &&
    hasBreak(parts[last] ?? '')
  )
    return concat(open, concatAll(parts.slice(0, -1).map(flattened)), close);
  return group(concat(open, nest(concat(pad, concatAll(parts))), pad, close));
}

const hardened = (part: Doc): Doc =>
  part === line ? hardLine : typeof part !== 'string' && part.kind === 'ifBroken' ? part.text : part;

/** If only the last element breaks, the others stay on its line. */
const flattened = (part: Doc): Doc => (part === line ? ' ' : part);
