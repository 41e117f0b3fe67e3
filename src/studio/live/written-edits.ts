import { sourceHash } from '../../roblox/instances/script-source.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { LiveEdited } from '../../protocol/studio/live.ts';
import { areVariantsEqual } from '../../roblox/instances/equality.ts';
import { variantFromWire } from '../../roblox/values/variant-wire.ts';

/** Maximum number of instances whose last edit is remembered; the plugin resends only recent edits. */
const MAX_EDITS = 10_000;

type Wires = LiveEdited['properties'];
type WrittenEdit = Pick<LiveEdited, 'baseHash' | 'properties' | 'base'> & { readonly sourceHash: string | undefined };

/**
 * Remembers the last edit of each instance that a live session wrote to disk. The plugin resends an edit when its acknowledgement was lost;
 * if disk has changed since, that is not a conflict.
 */
export class WrittenEdits {
  readonly #hasher: Hasher;
  readonly #last = new Map<string, WrittenEdit>();

  constructor(hasher: Hasher) {
    this.#hasher = hasher;
  }

  add(edit: LiveEdited): void {
    const { baseHash, properties, base } = edit;
    this.#last.delete(edit.id);
    this.#last.set(edit.id, { sourceHash: this.#sourceHash(edit), baseHash, properties, base });
    const oldest = this.#last.keys().next();
    if (this.#last.size > MAX_EDITS && !oldest.done) this.#last.delete(oldest.value);
  }

  /** Whether the last edit of that instance had the same content and the same base. */
  has(edit: LiveEdited): boolean {
    const last = this.#last.get(edit.id);
    return (
      last !== undefined &&
      last.baseHash === edit.baseHash &&
      last.sourceHash === this.#sourceHash(edit) &&
      areEqual(last.properties, edit.properties) &&
      areEqual(last.base, edit.base)
    );
  }

  #sourceHash({ source }: LiveEdited): string | undefined {
    return source === undefined ? undefined : sourceHash(source, this.#hasher);
  }
}

function areEqual(left: Wires, right: Wires): boolean {
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every(name => {
      const [a, b] = [variantFromWire(left[name]), variantFromWire(right[name])];
      return a.ok && b.ok && areVariantsEqual(a.value, b.value);
    })
  );
}
