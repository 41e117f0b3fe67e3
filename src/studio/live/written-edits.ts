import type { Hasher } from '../../ports/hasher.ts';
import type { LiveEdited } from '../../protocol/studio/live.ts';
import { variantsEqual } from '../../roblox/instances/equality.ts';
import { variantFromWire } from '../../roblox/values/variant-wire.ts';

type Wires = LiveEdited['properties'];
type Written = Pick<LiveEdited, 'baseHash' | 'properties' | 'base'> & { readonly sourceHash: string | undefined };

/**
 * The last edit of each instance that a live session brought to disk. When the answer to it was lost with the link, the plugin sends it
 * again, and disk may have gone on from it by then: that is no edit of both sides.
 */
export class WrittenEdits {
  readonly #hasher: Hasher;
  readonly #last = new Map<string, Written>();

  constructor(hasher: Hasher) {
    this.#hasher = hasher;
  }

  add(edit: LiveEdited): void {
    const { baseHash, properties, base } = edit;
    this.#last.set(edit.id, { sourceHash: this.#sourceHash(edit), baseHash, properties, base });
  }

  /** Whether the last edit of that instance said the same, made from the same. */
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
    return source === undefined ? undefined : this.#hasher.gitBlob(new TextEncoder().encode(source));
  }
}

function areEqual(left: Wires, right: Wires): boolean {
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every(name => {
      const [a, b] = [variantFromWire(left[name]), variantFromWire(right[name])];
      return a.ok && b.ok && variantsEqual(a.value, b.value);
    })
  );
}
