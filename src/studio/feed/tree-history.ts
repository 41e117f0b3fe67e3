import type { Ref } from '../../base/brand.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { ScriptProperties } from '../../roblox/instances/script-properties.ts';
import type { TreeChange } from '../../project/project-session.ts';
import type { KnownInstances } from './patch-message.ts';

export interface HistoryLimits {
  readonly patches: number;
  /** Changes of single instances. */
  readonly changes: number;
  /** Bytes of replaced scripts. */
  readonly bytes: number;
}

/** The latest changes of a tree, to reconstruct the state at an earlier revision. Drops the oldest patches above the limits. */
export class TreeHistory {
  readonly #patches: TreeChange[] = [];
  readonly #limits: HistoryLimits;
  /** The revision at which the history begins. */
  readonly #first: number;
  #changes = 0;
  #bytes = 0;
  /** Changes up to this revision have been dropped. */
  #forgottenTo: number;

  /** @param revision the current revision of the tree; earlier states are unknown */
  constructor(revision: number, limits: HistoryLimits) {
    this.#forgottenTo = revision;
    this.#first = revision;
    this.#limits = limits;
  }

  add(change: TreeChange): void {
    // A change that exceeds the limit alone is dropped with all earlier ones.
    if (change.before.size > this.#limits.changes) {
      this.#patches.length = 0;
      this.#changes = 0;
      this.#bytes = 0;
      this.#forgottenTo = change.revision;
      return;
    }
    this.#patches.push(change);
    this.#changes += change.before.size;
    this.#bytes += scriptBytesOf(change);
    while (this.#isBeyondLimits()) {
      const oldest = this.#patches.shift();
      if (oldest === undefined) return;
      this.#changes -= oldest.before.size;
      this.#bytes -= scriptBytesOf(oldest);
      this.#forgottenTo = oldest.revision;
    }
  }

  #isBeyondLimits(): boolean {
    const { patches, changes, bytes } = this.#limits;
    return this.#patches.length > patches || this.#changes > changes || this.#bytes > bytes;
  }

  /**
   * Returns the instances that changed after `revision`, in their state at that revision; `undefined` if it has been dropped. A revision
   * from before the tree was loaded is treated as the first one.
   */
  since(revision: number): KnownInstances | undefined {
    if (revision < this.#forgottenTo && this.#forgottenTo > this.#first) return undefined;
    const known = new Map<Ref, Instance | undefined>();
    for (const patch of this.#patches) {
      if (patch.revision <= revision) continue;
      for (const [id, before] of patch.before) if (!known.has(id)) known.set(id, before);
    }
    return known;
  }
}

function scriptBytesOf({ before }: TreeChange): number {
  let bytes = 0;
  for (const instance of before.values())
    if (instance?.properties instanceof ScriptProperties) bytes += instance.properties.byteLength;
  return bytes;
}
