import { diff3MergeRegions } from 'node-diff3';

/** A part of a merge: a text that both sides agree on or that one side changed, or a conflict with the texts of all sides. */
export type MergePiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'conflict'; readonly base: string; readonly a: string; readonly b: string };

export interface MergeSides {
  readonly base: string;
  readonly a: string;
  readonly b: string;
}

/** Merges by lines. Every side is empty or ends in `\n`. Changes to neighboring lines are a conflict unless they are the same. */
export function mergeLines({ base, a, b }: MergeSides): readonly MergePiece[] {
  const [baseLines, aLines, bLines] = [linesOf(base), linesOf(a), linesOf(b)];
  const pieces: MergePiece[] = [];
  const from = { base: 0, a: 0, b: 0 };
  const anchors = findAnchors(baseLines, aLines, bLines);
  // Merging the texts between two anchors separately takes linear instead of quadratic time.
  for (const to of [...anchors, { base: baseLines.length, a: aLines.length, b: bLines.length }]) {
    mergeRange(baseLines.slice(from.base, to.base), aLines.slice(from.a, to.a), bLines.slice(from.b, to.b), pieces);
    addText(pieces, baseLines.slice(to.base, to.base + 1));
    from.base = to.base + 1;
    from.a = to.a + 1;
    from.b = to.b + 1;
  }
  return pieces;
}

function mergeRange(base: readonly string[], a: readonly string[], b: readonly string[], pieces: MergePiece[]): void {
  if (isSame(a, b) || isSame(base, b)) return addText(pieces, a);
  if (isSame(base, a)) return addText(pieces, b);
  for (const region of diff3MergeRegions([...a], [...base], [...b])) {
    if (region.stable) addText(pieces, region.bufferContent);
    else if (isSame(region.aContent, region.bContent)) addText(pieces, region.aContent);
    else
      pieces.push({
        kind: 'conflict',
        base: region.oContent.join(''),
        a: region.aContent.join(''),
        b: region.bContent.join(''),
      });
  }
}

function addText(pieces: MergePiece[], lines: readonly string[]): void {
  if (lines.length === 0) return;
  const last = pieces.at(-1);
  const text = lines.join('');
  if (last?.kind === 'text') pieces[pieces.length - 1] = { kind: 'text', text: last.text + text };
  else pieces.push({ kind: 'text', text });
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, index) => line === b[index]);

/** Lines with their ends. */
export const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

interface Anchor {
  readonly base: number;
  readonly a: number;
  readonly b: number;
}

/** Lines that occur exactly once in each text and that no side has moved. */
function findAnchors(base: readonly string[], a: readonly string[], b: readonly string[]): readonly Anchor[] {
  const [inBase, inA, inB] = [uniqueLines(base), uniqueLines(a), uniqueLines(b)];
  const common: Anchor[] = [];
  for (const [line, at] of inBase) {
    const [atA, atB] = [inA.get(line), inB.get(line)];
    if (atA !== undefined && atB !== undefined) common.push({ base: at, a: atA, b: atB });
  }
  common.sort((x, y) => x.base - y.base);
  const inOrderOfB = new Set(longestIncreasing(common, anchor => anchor.b));
  return longestIncreasing(common, anchor => anchor.a).filter(anchor => inOrderOfB.has(anchor));
}

function uniqueLines(lines: readonly string[]): ReadonlyMap<string, number> {
  const at = new Map<string, number>();
  for (const [index, line] of lines.entries()) at.set(line, at.has(line) ? -1 : index);
  for (const [line, index] of at) if (index < 0) at.delete(line);
  return at;
}

/** The longest subsequence of `items` whose values increase. */
function longestIncreasing<T>(items: readonly T[], valueOf: (item: T) => number): readonly T[] {
  interface Link {
    readonly item: T;
    readonly value: number;
    readonly before: Link | undefined;
  }
  /** The link with the smallest value that ends a subsequence, by its length. */
  const ends: Link[] = [];
  for (const item of items) {
    const value = valueOf(item);
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle]?.value ?? Number.POSITIVE_INFINITY) < value) low = middle + 1;
      else high = middle;
    }
    ends[low] = { item, value, before: ends[low - 1] };
  }
  const found: T[] = [];
  for (let link = ends.at(-1); link !== undefined; link = link.before) found.push(link.item);
  return found.reverse();
}
