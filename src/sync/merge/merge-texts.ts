import { withUnixLineEnds } from '../../base/line-ends.ts';
import { conflictCount, mergeDeclarations } from './merge-declarations.ts';
import { linesOf, mergeLines, type MergePiece, type MergeSides } from './merge-lines.ts';
import { hasNewDuplicates } from './new-duplicates.ts';
import type { MergeConflict, ScriptTexts, TextMerge } from '../../ports/script-merger.ts';

/** Merges a script by lines, and by its declarations where both sides changed neighboring lines. The result does not depend on the order of the sides. */
export function mergeTexts({ base, disk, studio }: ScriptTexts): TextMerge {
  const texts = { base: withUnixLineEnds(base), disk: withUnixLineEnds(disk), studio: withUnixLineEnds(studio) };
  // The library prefers its first side where both are possible.
  const isDiskFirst = texts.disk < texts.studio;
  const [a, b] = isDiskFirst ? [texts.disk, texts.studio] : [texts.studio, texts.disk];
  const sides = { base: withFinalLineFeed(texts.base), a: withFinalLineFeed(a), b: withFinalLineFeed(b) };
  const byLines = mergeLines(sides);
  const byDeclarations = conflictCount(byLines) === 0 ? undefined : mergeDeclarations(sides);
  const pieces =
    byDeclarations !== undefined && conflictCount(byDeclarations) < conflictCount(byLines) ? byDeclarations : byLines;
  const merged = toMerge(hasDuplicates(pieces, sides) ? asOneConflict(sides) : pieces, isDiskFirst);
  return endsWithLineFeed(texts) ? merged : { ...merged, text: merged.text.replace(/\n$/, '') };
}

/** Whether the result declares a name twice, whichever side a person chooses in the conflicts. */
function hasDuplicates(pieces: readonly MergePiece[], { a, b }: MergeSides): boolean {
  const resolved = (side: 'a' | 'b'): string =>
    pieces.map(piece => (piece.kind === 'text' ? piece.text : piece[side])).join('');
  const [withA, withB] = [resolved('a'), resolved('b')];
  return hasNewDuplicates(withA, a, b) || (withB !== withA && hasNewDuplicates(withB, a, b));
}

/** A conflict from the first line that is not equal everywhere to the last one. */
function asOneConflict({ base, a, b }: MergeSides): readonly MergePiece[] {
  const lines = { base: linesOf(base), a: linesOf(a), b: linesOf(b) };
  const shortest = Math.min(lines.base.length, lines.a.length, lines.b.length);
  const isCommon = (at: number): boolean =>
    lines.base.at(at) === lines.a.at(at) && lines.base.at(at) === lines.b.at(at);
  let start = 0;
  while (start < shortest && isCommon(start)) start += 1;
  let end = 0;
  while (end < shortest - start && isCommon(-1 - end)) end += 1;
  const middle = (side: readonly string[]): string => side.slice(start, side.length - end).join('');
  return [
    { kind: 'text', text: lines.base.slice(0, start).join('') },
    { kind: 'conflict', base: middle(lines.base), a: middle(lines.a), b: middle(lines.b) },
    { kind: 'text', text: lines.base.slice(lines.base.length - end).join('') },
  ];
}

/** Ends the last line, so that lines can follow it. */
const withFinalLineFeed = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** Whether the merged text ends with a line feed, merged like the lines. */
function endsWithLineFeed({ base, disk, studio }: ScriptTexts): boolean {
  const [inBase, onDisk, inStudio] = [base, disk, studio].map(text => text === '' || text.endsWith('\n'));
  return (onDisk === inBase ? inStudio : onDisk) ?? true;
}

function toMerge(pieces: readonly MergePiece[], isDiskFirst: boolean): TextMerge {
  const conflicts: MergeConflict[] = [];
  const text: string[] = [];
  let line = 1;
  for (const piece of pieces) {
    const conflict =
      piece.kind === 'text'
        ? undefined
        : {
            line,
            base: piece.base,
            disk: isDiskFirst ? piece.a : piece.b,
            studio: isDiskFirst ? piece.b : piece.a,
          };
    if (conflict !== undefined) conflicts.push(conflict);
    const part = piece.kind === 'text' ? piece.text : withMarkers(conflict ?? { base: '', disk: '', studio: '' });
    text.push(part);
    line += linesOf(part).length;
  }
  return { text: text.join(''), conflicts };
}

/** Comments for Luau, so that an editor does not report the markers as errors. */
const markers = {
  studio: '--<<<<<<< Studio\n',
  base: '--||||||| Base\n',
  disk: '--=======\n',
  end: '-->>>>>>> Disk\n',
};

const withMarkers = ({ base, disk, studio }: ScriptTexts): string =>
  markers.studio + studio + markers.base + base + markers.disk + disk + markers.end;
