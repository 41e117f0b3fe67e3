import type { PatchType, Choice } from '../../protocol/sync.ts';
import type { RestoredSide } from '../../protocol/review.ts';
import type { DecisionCounts } from './decision-counts.ts';

const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

const tallies: readonly (readonly [Choice, PatchType, (count: number) => string])[] = [
  ['push', 'Add', n => `${plural(n, 'instance')} will be created in Studio`],
  ['push', 'Edit', n => `${plural(n, 'instance')} will be replaced in Studio by disk`],
  ['push', 'Remove', n => `${plural(n, 'instance')} will be removed from Studio`],
  ['pull', 'Edit', n => `${plural(n, 'file')} will be replaced on disk by Studio`],
  ['pull', 'Remove', n => `${plural(n, 'instance')} will be written to disk`],
  ['pull', 'Add', n => `${plural(n, 'instance')} will be removed from disk`],
];

/** In a restore the record stands where the other side stands in a sync, so one choice brings back and no side wins. */
const restored: Readonly<Record<RestoredSide, (typeof tallies)[number]>> = {
  disk: ['pull', 'Edit', n => `${plural(n, 'file')} will be brought back on disk as recorded`],
  studio: ['push', 'Edit', n => `${plural(n, 'instance')} will be brought back in Studio as recorded`],
};

/** What Apply will do, in one sentence; or what is still missing. */
export function describeDecision(counts: DecisionCounts, restore?: RestoredSide): string {
  if (counts.total === 0) return 'Nothing differs any more.';
  const own = restore && restored[restore];
  const spoken = tallies.map(tally => (own !== undefined && tally[0] === own[0] && tally[1] === own[1] ? own : tally));
  const parts = spoken.flatMap(([choice, patchType, label]) => {
    const count = counts.of(patchType, choice);
    return count === 0 ? [] : [label(count)];
  });
  const skipped = counts.of('Add', 'skip') + counts.of('Edit', 'skip') + counts.of('Remove', 'skip');
  if (skipped > 0) parts.push(`${plural(skipped, 'change')} will be left as ${skipped === 1 ? 'it is' : 'they are'}`);
  const sentence = parts.length === 0 ? 'Nothing is decided yet' : parts.join(', ');
  return counts.undecided === 0
    ? `${sentence}.`
    : `${sentence}; ${plural(counts.undecided, 'change')} still undecided.`;
}
