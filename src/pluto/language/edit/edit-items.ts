import type { ClassDecl, ErrorDecl, ParsedModule, VariantDecl } from '../syntax/ast/decl.ts';
import type { Item } from '../syntax/parts.ts';
import type { Span } from '../syntax/ast/span.ts';
import { endOfLine, extentOf, isBlank, startOfLine } from './extent.ts';
import { lineEndOf, type TextEdit } from './text-edit.ts';

/** The insertion point of a new item. */
export type NewItemPosition =
  | { readonly kind: 'end' }
  | { readonly kind: 'before'; readonly item: Span }
  | { readonly kind: 'after'; readonly item: Span };

/** Replaces only the item: comments above and after it stay. */
export const replaceItem = ({ text }: ParsedModule, item: Span, source: string): TextEdit => ({
  span: { start: item.start, end: item.end },
  text: reindent(source, indentAt(text, item.start), lineEndOf(text)),
});

/** Removes the item with its comments and one of the empty lines around it. */
export function removeItem(module: ParsedModule, item: Span): TextEdit {
  const { text } = module;
  const extent = extentOf(module, item);
  const isWholeLines = extent.start === startOfLine(text, extent.start) && extent.end > item.end;
  if (!isWholeLines) return { span: extent, text: '' };
  const next = endOfLine(text, extent.end);
  const hasBlankBelow = extent.end < text.length && isBlank(text.slice(extent.end, next));
  const above = startOfLine(text, extent.start - 1);
  const hasBlankAbove = extent.start === 0 || isBlank(text.slice(above, extent.start));
  if (hasBlankBelow && hasBlankAbove)
    return { span: { start: extent.start, end: Math.min(next + 1, text.length) }, text: '' };
  // At the end of the file, the empty line above no longer separates anything.
  if (extent.end === text.length && hasBlankAbove && extent.start > 0)
    return { span: { start: above, end: extent.end }, text: '' };
  return { span: extent, text: '' };
}

/** Inserts a declaration on separate lines, with one empty line to its neighbors. */
export function insertDeclaration(module: ParsedModule, source: string, place: NewItemPosition): TextEdit {
  const { text } = module;
  const eol = lineEndOf(text);
  const code = reindent(source, '', eol);
  if (place.kind === 'end' || module.tree.items.length === 0) {
    const isEmpty = isBlank(text);
    const gap = isEmpty ? '' : text.endsWith('\n') ? eol : eol + eol;
    return { span: { start: text.length, end: text.length }, text: `${gap}${code}${eol}` };
  }
  const extent = extentOf(module, place.item);
  if (place.kind === 'before') return insertAt(extent.start, `${code}${eol}${eol}`);
  const endsLine = text.charCodeAt(extent.end - 1) === 10;
  return insertAt(extent.end, endsLine ? `${eol}${code}${eol}` : `${eol}${eol}${code}${eol}`);
}

const insertAt = (offset: number, text: string): TextEdit => ({ span: { start: offset, end: offset }, text });

type Owner = Extract<
  Item,
  { kind: 'ClassDecl' | 'TraitDecl' | 'AppDecl' | 'StageDecl' | 'EnumDecl' | 'SystemDecl' | 'TestsDecl' }
>;

/** Inserts a member on a separate line; `isSpaced` adds empty lines around it, as methods have. */
export function insertMember(
  module: ParsedModule,
  owner: Owner,
  source: string,
  place: NewItemPosition,
  isSpaced: boolean,
): TextEdit {
  const { text } = module;
  const eol = lineEndOf(text);
  const outer = indentAt(text, owner.start);
  const members: readonly Span[] =
    owner.kind === 'EnumDecl' ? owner.variants : owner.kind === 'TestsDecl' ? owner.tests : owner.members;
  const first = members[0];
  const isOnOwnLine = first !== undefined && isBlank(text.slice(startOfLine(text, first.start), first.start));
  const indent = isOnOwnLine ? indentAt(text, first.start) : `${outer}    `;
  const code = indent + reindent(source, indent, eol);
  const gap = isSpaced ? eol : '';
  const neighbor = place.kind === 'end' ? members.at(-1) : place.item;
  if (neighbor !== undefined && place.kind === 'before') {
    const { start } = extentOf(module, neighbor);
    if (start === startOfLine(text, start)) return insertAt(start, `${code}${eol}${gap}`);
    return insertAt(neighbor.start, `${eol}${code}${eol}${indent}`);
  }
  if (neighbor !== undefined) {
    const { end } = extentOf(module, neighbor);
    if (text.charCodeAt(end - 1) === 10) return insertAt(end, `${gap}${code}${eol}`);
    const closing = owner.end - 1;
    const isLast = isBlank(text.slice(neighbor.end, closing));
    return isLast
      ? { span: { start: neighbor.end, end: closing }, text: `${eol}${gap}${code}${eol}${outer}` }
      : insertAt(neighbor.end, `${eol}${gap}${code}${eol}${indent}`);
  }
  const closing = owner.end - 1;
  const open = startOfLine(text, closing);
  // `{}` is split; a closing brace on a separate line gets the member above it.
  return isBlank(text.slice(open, closing))
    ? insertAt(open, `${code}${eol}`)
    : { span: trimmedBefore(text, closing), text: `${eol}${code}${eol}${outer}` };
}

function trimmedBefore(text: string, offset: number): Span {
  let start = offset;
  while (start > 0 && /[ \t]/.test(text.charAt(start - 1))) start -= 1;
  return { start, end: offset };
}

/** Inserts `name: Type` into the brackets of a class, app or stage. */
export function insertDependency(
  { text }: ParsedModule,
  owner: Extract<Owner, { deps: unknown }>,
  source: string,
): TextEdit {
  const last = owner.deps.at(-1);
  if (last !== undefined) return insertAt(last.end, `, ${source}`);
  const heads: readonly (Span | undefined)[] = [owner.name, ...headParts(owner)];
  const end = Math.max(...heads.map(part => part?.end ?? 0));
  const angle =
    owner.kind === 'ClassDecl' && owner.typeParams.length > 0 && owner.uses.length === 0
      ? text.indexOf('>', end) + 1
      : end;
  return insertAt(angle, owner.kind === 'ClassDecl' && owner.uses.length > 0 ? ` [${source}]` : `[${source}]`);
}

const headParts = (owner: Extract<Owner, { deps: unknown }>): readonly (Span | undefined)[] => {
  if (owner.kind === 'StageDecl') return [owner.parent];
  const parts = owner as Partial<ClassDecl>;
  return [...(parts.typeParams ?? []), ...(parts.uses ?? [])];
};

/** The indentation before an offset, if the line has nothing else before it. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(startOfLine(text, offset), offset))?.[0] ?? '';
}

/** Removes the indentation of the first line from the source, and adds `indent` to every other line. */
function reindent(source: string, indent: string, eol: string): string {
  const lines = source
    .replace(/^(?:[ \t]*\r?\n)+/, '')
    .trimEnd()
    .split(/\r?\n/);
  const own = /^[ \t]*/.exec(lines[0] ?? '')?.[0] ?? '';
  return lines
    .map((line, index) => {
      const bare = line.startsWith(own) ? line.slice(own.length) : line.trimStart();
      return bare === '' || index === 0 ? bare : indent + bare;
    })
    .join(eol);
}

/** Inserts a field into the braces of an error or a variant; adds missing braces to a variant. */
export function insertField({ text }: ParsedModule, owner: ErrorDecl | VariantDecl, source: string): TextEdit {
  const { fields } = owner;
  if (fields === undefined) return insertAt(owner.end, ` { ${source} }`);
  const eol = lineEndOf(text);
  const last = fields.at(-1);
  if (last === undefined) {
    const closing = owner.end - 1;
    const open = text.lastIndexOf('{', closing);
    return { span: { start: open + 1, end: closing }, text: ` ${source} ` };
  }
  const indent = indentAt(text, last.start);
  const isOnOwnLine = isBlank(text.slice(startOfLine(text, last.start), last.start));
  return insertAt(last.end, isOnOwnLine ? `,${eol}${indent}${source}` : `, ${source}`);
}
