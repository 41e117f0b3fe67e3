import type { PausableWork } from '../../../base/time-slice.ts';
import { readFileProperties } from '../../../roblox/formats/file-properties.ts';
import { comparable, areVariantsIdentical } from '../../../roblox/instances/equality.ts';
import type { Reflection } from '../../../roblox/instances/reflection.ts';
import type { Variant } from '../../../roblox/values/variant.ts';
import { onlyGameAttributes } from '../../tree/game-attributes.ts';
import type { TreeInstance } from '../../tree/project-tree.ts';
import type { DesiredInstance } from '../desired.ts';
import { unwrittenProperties } from '../unwritten-properties.ts';
import { isZeroValue } from './compare-values.ts';

export interface KeyRules {
  readonly reflection: Reflection;
  readonly excludes: (className: string, name: string) => boolean;
  readonly childrenOf: (instance: TreeInstance) => readonly TreeInstance[];
}

interface Side<T> {
  readonly childrenOf: (of: T) => readonly T[];
  /** A text that is equal for instances with the same class, name and values. */
  readonly ownKey: (of: T) => string;
}

/** Instances between two pauses. */
const BATCH_SIZE = 32;

/**
 * Numbers that are equal for instances on disk and in the place that have the same class, name, values and descendants, in any order.
 * References are not compared, because their targets are not known yet. Each subtree is read once per comparison.
 */
export class SubtreeKeys {
  readonly #numbers = new Map<string, number>();
  readonly #known = new Map<object, number>();
  readonly #disk: Side<TreeInstance>;
  readonly #place: Side<DesiredInstance>;

  constructor({ reflection, excludes, childrenOf }: KeyRules) {
    const ownKey = (className: string, name: string, values: ReadonlyMap<string, Variant>): string =>
      `${className}\0${name}\0${valuesKey(reflection, excludes, className, values)}`;
    this.#disk = {
      childrenOf,
      ownKey: ({ className, name, properties }) =>
        ownKey(className, name, readFileProperties(reflection, className, properties)),
    };
    this.#place = {
      childrenOf: ({ children }) => children,
      ownKey: ({ className, name, properties }) => ownKey(className, name, properties),
    };
  }

  /** Reads the instance and its descendants, so that `keyOf` knows them. */
  readDisk(instance: TreeInstance): PausableWork<void> {
    return this.#read(instance, this.#disk);
  }

  readPlace(desired: DesiredInstance): PausableWork<void> {
    return this.#read(desired, this.#place);
  }

  /** `undefined` for an instance that was not read. */
  keyOf(of: TreeInstance | DesiredInstance): number | undefined {
    return this.#known.get(of);
  }

  /** A text that is equal for instances on disk and in the place with the same values, whatever their descendants. */
  valuesOnDisk(instance: TreeInstance): string {
    return this.#disk.ownKey(instance);
  }

  valuesInPlace(desired: DesiredInstance): string {
    return this.#place.ownKey(desired);
  }

  /** Without recursion, because places can have thousands of levels. */
  *#read<T extends object>(root: T, side: Side<T>): PausableWork<void> {
    const open: { readonly of: T; readonly children: readonly T[] }[] = [];
    const enter = (of: T): void => void (this.#known.has(of) || open.push({ of, children: side.childrenOf(of) }));
    enter(root);
    for (let count = 1, top = open.at(-1); top !== undefined; top = open.at(-1), count += 1) {
      const before = open.length;
      for (const child of top.children) enter(child);
      if (open.length === before) {
        open.pop();
        const below = top.children.map(child => this.#known.get(child) ?? 0).toSorted((a, b) => a - b);
        this.#known.set(top.of, this.#numberOf(`${below.join(' ')}\0${side.ownKey(top.of)}`));
      }
      if (count % BATCH_SIZE === 0) yield;
    }
  }

  #numberOf(key: string): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size + 1;
    this.#numbers.set(key, number);
    return number;
  }
}

/** Skips what files omit: defaults, and properties that are not written. */
function valuesKey(
  reflection: Reflection,
  excludes: (className: string, name: string) => boolean,
  className: string,
  properties: ReadonlyMap<string, Variant>,
): string {
  const parts: string[] = [];
  for (const [name, value] of properties) {
    if (value.type === 'Ref' || value.type === 'UniqueId') continue;
    if (unwrittenProperties.has(name) || excludes(className, name)) continue;
    const shown = onlyGameAttributes(value);
    if (shown.type === 'Attributes' && shown.value.size === 0) continue;
    const known = reflection.defaultOf(className, name);
    if (known === undefined ? isZeroValue(shown) : areVariantsIdentical(known, shown)) continue;
    parts.push(`${name}=${JSON.stringify(comparable(shown), plain)}`);
  }
  return parts.toSorted().join('\n');
}

/** Values that JSON has no form for. The length and the start identify long bytes well enough. */
function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return [value.length, ...value.subarray(0, 64)];
  return value instanceof Map ? Array.from(value) : value;
}
