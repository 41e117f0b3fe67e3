import { isScriptClass } from '../../protocol/script-class.ts';
import { sourceHash } from '../../roblox/instances/script-source.ts';
import type { Ref } from '../../base/brand.ts';
import type { BaseState } from '../../ports/base-store.ts';
import type { Hasher } from '../../ports/hasher.ts';
import { isGameAttribute, onlyGameAttributes } from '../../project/tree/game-attributes.ts';
import { variantFingerprint } from '../../roblox/instances/fingerprint.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import { isSent } from '../../roblox/instances/is-sent.ts';

/** Computes the hashes of instances, and caches them while an instance stays the same. */
export class BaseStates {
  readonly #hasher: Hasher;
  readonly #known = new WeakMap<Instance, BaseState>();
  /** The Studio process that was last known to be up to date, by place. */
  readonly #studioByPlace = new Map<string, string | undefined>();
  #keys: Pick<ReadonlyMap<Ref, string>, 'get'> = new Map();

  constructor(hasher: Hasher) {
    this.#hasher = hasher;
  }

  /** Whether this Studio process was last known to be up to date with the base of the place. */
  isSameStudio(place: string, studioId: string | undefined): boolean {
    return studioId !== undefined && this.#studioByPlace.get(place) === studioId;
  }

  /** Records that this Studio process is up to date with the base of the place. */
  useStudio(place: string, studioId: string | undefined): void {
    this.#studioByPlace.set(place, studioId);
  }

  /** Sets the keys that identify the targets of references. */
  useKeys(keys: Pick<ReadonlyMap<Ref, string>, 'get'>): void {
    this.#keys = keys;
  }

  /** The state of an instance as it is in the tree. */
  of(instance: Instance): BaseState {
    const known = this.#known.get(instance);
    if (known !== undefined) return known;
    const properties: Record<string, string> = {};
    const entries: Record<string, Readonly<Record<string, string>>> = {};
    let source: string | undefined;
    let hasRef = false;
    for (const [name, value] of instance.properties) {
      if (!isSent(value)) continue;
      hasRef ||= value.type === 'Ref';
      if (name === 'Source' && isScriptClass(instance.className) && value.type === 'String')
        source = sourceHash(value.value, this.#hasher);
      else properties[name] = this.property(value);
      const own = this.entries(value);
      if (own !== undefined) entries[name] = own;
    }
    const state: BaseState = {
      ...(source === undefined ? {} : { source }),
      properties,
      ...(Object.keys(entries).length === 0 ? {} : { entries }),
    };
    // The key of a reference changes when its target moves, although this instance stays the same.
    if (!hasRef) this.#known.set(instance, state);
    return state;
  }

  /** Identifies the disk side of an instance: name, class, text and properties. 40 hex digits. */
  identify(instance: Instance): string {
    const { source, properties } = this.of(instance);
    const sorted = Object.entries(properties).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const state = JSON.stringify([instance.name, instance.className, source, sorted]);
    return this.#hasher.gitBlob(state);
  }

  /** A fingerprint for each tag or attribute; `undefined` for other values. */
  entries(value: Variant): Readonly<Record<string, string>> | undefined {
    if (value.type === 'Tags') return Object.fromEntries(value.value.map(tag => [tag, '']));
    if (value.type !== 'Attributes') return undefined;
    return Object.fromEntries(
      Array.from(value.value)
        .filter(([name]) => isGameAttribute(name))
        .map(([name, attribute]) => [name, this.property(attribute)]),
    );
  }

  /** The fingerprint of a property's value. */
  property(value: Variant): string {
    // An id that is not in the tree cannot match the base, so the id itself is hashed.
    return variantFingerprint(onlyGameAttributes(value), this.#hasher, ref => this.#keys.get(ref as Ref) ?? `#${ref}`);
  }
}

/** Whether both states have the same text, properties and validity. Entries are covered by the fingerprints of their properties. */
export function isSameState(a: BaseState | undefined, b: BaseState | undefined): boolean {
  if (a === undefined || b === undefined || a === b) return a === b;
  if (a.isOutdated !== b.isOutdated) return false;
  const names = Object.keys(a.properties);
  return (
    a.source === b.source &&
    (a.entries === undefined) === (b.entries === undefined) &&
    names.length === Object.keys(b.properties).length &&
    names.every(name => a.properties[name] === b.properties[name])
  );
}
