import type { Ref } from '../../base/brand.ts';
import { runInSlices, type TimeSlice } from '../../base/time-slice.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { PlannedChange, RunChange } from '../changes/run-change.ts';
import { groupByKey, type InstancesByKey } from './verify.ts';

export const isCreatedOnDisk = ({ choice, studio }: RunChange): boolean =>
  choice === 'pull' && studio.patchType === 'Remove';

/** The children that parents get while a run creates instances on disk. Created before the files are written. */
export class CreatedChildren {
  readonly #session: Pick<ProjectSession, 'get'>;
  readonly #before = new Map<string, ReadonlySet<Ref>>();
  /** Found once for each parent: looking for each instance among all others would take quadratic time. */
  readonly #created = new Map<string, InstancesByKey>();

  constructor(planned: readonly PlannedChange[], session: Pick<ProjectSession, 'get'>) {
    this.#session = session;
    for (const { change } of planned) {
      const { parentId } = change.studio;
      if (isCreatedOnDisk(change) && !this.#before.has(parentId))
        this.#before.set(parentId, new Set(this.#childrenOf(parentId)));
    }
  }

  /** The children that the parent of a created instance has now and had not before. */
  async beside({ studio: { parentId } }: RunChange, slice: TimeSlice): Promise<InstancesByKey> {
    const known = this.#created.get(parentId);
    if (known !== undefined) return known;
    const before = this.#before.get(parentId);
    const ids = this.#childrenOf(parentId).filter(id => before?.has(id) !== true);
    const created = await runInSlices(groupByKey(ids, this.#session), slice);
    this.#created.set(parentId, created);
    return created;
  }

  #childrenOf(parentId: string): readonly Ref[] {
    const parent = parseRef(parentId);
    return (parent && this.#session.get(parent)?.children) ?? [];
  }
}
