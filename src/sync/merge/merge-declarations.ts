import { mergeLines, type MergePiece, type MergeSides } from './merge-lines.ts';
import { type NamedPart, splitDeclarations } from './split-declarations.ts';
import { splitTable } from './split-table.ts';

/**
 * Merges by the declarations of a Luau text, then by lines within each. Both sides may add declarations at the same place. `undefined` if
 * a side cannot be split, or has moved declarations.
 */
export function mergeDeclarations({ base, a, b }: MergeSides): readonly MergePiece[] | undefined {
  return mergeParts(splitDeclarations(base), splitDeclarations(a), splitDeclarations(b));
}

function mergeParts(
  base: readonly NamedPart[] | undefined,
  a: readonly NamedPart[] | undefined,
  b: readonly NamedPart[] | undefined,
): readonly MergePiece[] | undefined {
  if (base === undefined || a === undefined || b === undefined) return undefined;
  const keys = base.map(part => part.key);
  const [inA, inB] = [byKey(a), byKey(b)];
  const [addedByA, addedByB] = [additions(keys, a), additions(keys, b)];
  if (addedByA === undefined || addedByB === undefined) return undefined;
  const pieces: MergePiece[] = [];
  for (let gap = 0; gap <= base.length; gap += 1) {
    const added = mergeAdditions(addedByA[gap] ?? [], addedByB[gap] ?? [], inA, inB);
    if (added === undefined) return undefined;
    pieces.push(...added);
    const part = base[gap];
    if (part !== undefined) pieces.push(...mergePart(part.text, inA.get(part.key)?.text, inB.get(part.key)?.text));
  }
  return pieces;
}

const byKey = (parts: readonly NamedPart[]): ReadonlyMap<string, NamedPart> =>
  new Map(parts.map(part => [part.key, part]));

/** The new parts of a side, by the number of base parts before them. `undefined` if the side has moved base parts. */
function additions(base: readonly string[], side: readonly NamedPart[]): readonly NamedPart[][] | undefined {
  const positions = new Map(base.map((key, index) => [key, index]));
  const gaps: NamedPart[][] = Array.from({ length: base.length + 1 }, () => []);
  let gap = 0;
  for (const part of side) {
    const at = positions.get(part.key);
    if (at === undefined) gaps[gap]?.push(part);
    else if (at < gap) return undefined;
    else gap = at + 1;
  }
  return gaps;
}

/** Merges the additions of both sides at one place. The order of named parts has no meaning, so it does not depend on the sides. */
function mergeAdditions(
  a: readonly NamedPart[],
  b: readonly NamedPart[],
  inA: ReadonlyMap<string, NamedPart>,
  inB: ReadonlyMap<string, NamedPart>,
): readonly MergePiece[] | undefined {
  const textOf = (parts: readonly NamedPart[]): string => parts.map(part => part.text).join('');
  const [textA, textB] = [textOf(a), textOf(b)];
  const isInBoth = a.some(part => inB.has(part.key)) || b.some(part => inA.has(part.key));
  if (textA === textB || textB === '') return isInBoth && textA !== textB ? undefined : asText(textA);
  if (textA === '') return isInBoth ? undefined : asText(textB);
  if (isInBoth) return a.length === 1 && b.length === 1 ? mergePart('', textA, textB) : undefined;
  if (![...a, ...b].every(part => part.isNamed)) return [{ kind: 'conflict', base: '', a: textA, b: textB }];
  return asText(textA < textB ? textA + textB : textB + textA);
}

const asText = (text: string): readonly MergePiece[] => (text === '' ? [] : [{ kind: 'text', text }]);

/** Merges one part. `undefined`: that side has removed it. */
function mergePart(base: string, a: string | undefined, b: string | undefined): readonly MergePiece[] {
  if (a === b) return asText(a ?? '');
  if (a === base) return asText(b ?? '');
  if (b === base) return asText(a ?? '');
  if (a === undefined || b === undefined) return [{ kind: 'conflict', base, a: a ?? '', b: b ?? '' }];
  const lines = mergeLines({ base, a, b });
  if (conflictCount(lines) === 0) return lines;
  const entries = mergeTables({ base, a, b });
  return entries !== undefined && conflictCount(entries) < conflictCount(lines) ? entries : lines;
}

function mergeTables({ base, a, b }: MergeSides): readonly MergePiece[] | undefined {
  const [inBase, inA, inB] = [splitTable(base), splitTable(a), splitTable(b)];
  if (inBase === undefined || inA === undefined || inB === undefined) return undefined;
  const entries = mergeParts(inBase.entries, inA.entries, inB.entries);
  if (entries === undefined) return undefined;
  return [...mergePart(inBase.head, inA.head, inB.head), ...entries, ...mergePart(inBase.tail, inA.tail, inB.tail)];
}

export const conflictCount = (pieces: readonly MergePiece[]): number =>
  pieces.reduce((count, piece) => (piece.kind === 'conflict' ? count + 1 : count), 0);
