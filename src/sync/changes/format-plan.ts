import { isScriptClass } from '../../protocol/script-class.ts';
import { isDeletion } from '../../protocol/deletion.ts';
import { plural } from '../../base/plural.ts';
import type { SyncChange } from '../../protocol/sync-result.ts';

type PlannedDirection = Pick<SyncChange, 'direction' | 'patchType' | 'className'>;

/** Counts scripts and other instances: `3 scripts and 1 instance`. */
function countOf(changes: readonly PlannedDirection[]): string {
  const scripts = changes.filter(({ className }) => isScriptClass(className)).length;
  const others = changes.length - scripts;
  return [
    ...(scripts === 0 ? [] : [plural(scripts, '1 script', `${scripts} scripts`)]),
    ...(others === 0 ? [] : [plural(others, '1 instance', `${others} instances`)]),
  ].join(' and ');
}

/**
 * The effect of a sync with these decisions, in one line for people: `Push 3 scripts, pull 1 script, delete nothing`. The same decisions
 * always give the same text. Deletions are counted by their topmost instance.
 */
export function formatPlan(changes: readonly PlannedDirection[]): string {
  const deletes = ({ direction, patchType }: PlannedDirection): boolean => isDeletion(patchType, direction);
  const kept = changes.filter(change => !deletes(change));
  const of = (direction: PlannedDirection['direction']): string =>
    countOf(kept.filter(change => change.direction === direction));
  const deletedFrom = (direction: PlannedDirection['direction'], side: string): string => {
    const count = countOf(changes.filter(change => deletes(change) && change.direction === direction));
    return count === '' ? '' : `${count} ${side}`;
  };
  const parts = (['push', 'pull', 'merge'] as const).flatMap(direction => {
    const count = of(direction);
    return count === '' ? [] : [`${direction} ${count}`];
  });
  const deleted = [deletedFrom('push', 'in Studio'), deletedFrom('pull', 'on disk')].filter(text => text !== '');
  const undecided = changes.filter(({ direction }) => direction === 'unresolved').length;
  const plan = [
    ...(parts.length === 0 && deleted.length === 0 ? ['change nothing'] : parts),
    ...(parts.length === 0 && deleted.length === 0
      ? []
      : [deleted.length === 0 ? 'delete nothing' : `delete ${deleted.join(' and ')}`]),
    ...(undecided === 0 ? [] : [`${undecided} undecided`]),
  ].join(', ');
  return `${plan.charAt(0).toUpperCase()}${plan.slice(1)}`;
}
