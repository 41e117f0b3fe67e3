import {
  type ClassRow,
  type Entries,
  type OpenedReflectionData,
  openReflectionData,
  type ReflectionRow,
  type Scriptability,
} from './reflection-data.ts';
import type { Variant, VariantType } from '../values/variant.ts';
import { variantFromWire } from '../values/variant-wire.ts';

/** The type that Roblox declares for a property: a value type, or an enum by its name. */
export type DeclaredType = VariantType | { readonly enum: string };

/** The migration of an old property when a file is read: `operation` turns its value into values of `to`. */
export interface Migration {
  readonly to: readonly string[];
  readonly operation: string;
}

/** The serialization of a property in model files; `as` is its name there. */
export type Serialization =
  | { readonly kind: 'yes'; readonly as: string }
  | { readonly kind: 'no' }
  | ({ readonly kind: 'migrates' } & Migration);

/** A property of a class. For an alias, `type` is the type of the alias, and everything else describes the canonical property. */
export interface Property {
  readonly canonicalName: string;
  readonly type: DeclaredType;
  readonly scriptability: Scriptability;
  /** Whether model files contain it, under any name. */
  readonly serializes: boolean;
  readonly serialization: Serialization;
}

/** Roblox's classes, properties and enums. Returns `undefined` or false for unknown ones. */
export interface Reflection {
  readonly version: string;
  hasClass(className: string): boolean;
  classNames(): readonly string[];
  /** True for the class itself, even if it is unknown. */
  isA(className: string, superclass: string): boolean;
  isService(className: string): boolean;
  isCreatable(className: string): boolean;
  /** Own and inherited properties and their aliases, by exact name. */
  property(className: string, name: string): Property | undefined;
  /** The value in a new instance; sets of attributes and tags are empty for every instance. Accepts aliases. */
  defaultOf(className: string, name: string): Variant | undefined;
  /** Canonical names with a known default. */
  defaultNames(className: string): ReadonlySet<string>;
  /** Item name to number; empty for an unknown enum. */
  enumItems(enumName: string): ReadonlyMap<string, number>;
  enumItemName(enumName: string, value: number): string | undefined;
}

/**
 * @param text the output of `scripts/generate-reflection.ts`: a `ReflectionData`
 * @throws Error when the layout is different
 */
export function createReflection(text: string): Reflection {
  const data = openReflectionData(text);
  const { classes } = data;
  /** The class and its superclasses, nearest first. */
  const lineage = (className: string): ClassRow[] => {
    const rows: ClassRow[] = [];
    for (let row = classes.get(className); row !== undefined; row = classes.get(row[0])) rows.push(row);
    return rows;
  };
  const property = createPropertyLookup(data, lineage);
  return {
    version: data.version,
    hasClass: className => classes.has(className),
    classNames: () => classes.names(),
    isA: (className, superclass) =>
      className === superclass || lineage(className).some(([parent]) => parent === superclass),
    isService: className => ((classes.get(className)?.[1] ?? 0) & 1) !== 0,
    isCreatable: className => ((classes.get(className)?.[1] ?? 2) & 2) === 0,
    property,
    ...createDefaultLookup(data, lineage, property),
    ...createEnumLookup(data.enums),
  };
}

type Lineage = (className: string) => readonly ClassRow[];

function createPropertyLookup(data: OpenedReflectionData, lineage: Lineage): Reflection['property'] {
  const known = new Map<string, Map<string, Property>>();

  function property(className: string, name: string): Property | undefined {
    const ofClass = known.get(className);
    const seen = ofClass?.get(name);
    if (seen) return seen;
    const found = describe(className, name);
    if (found && ofClass) ofClass.set(name, found);
    else if (found) known.set(className, new Map([[name, found]]));
    return found;
  }

  function describe(className: string, name: string): Property | undefined {
    const owner = lineage(className).find(([, , own]) => Object.hasOwn(own, name));
    const row = data.rows[owner?.[2][name] ?? -1];
    if (row === undefined) return undefined;
    const [typeName, scriptability, how] = row;
    const type = parseType(typeName);
    if (typeof how === 'object' && 'aliasFor' in how) {
      const canonical = property(className, how.aliasFor);
      return canonical && { ...canonical, type };
    }
    const serialization = parseSerialization(name, how);
    return { canonicalName: name, type, scriptability, serializes: serialization.kind === 'yes', serialization };
  }

  return property;
}

function createDefaultLookup(data: OpenedReflectionData, lineage: Lineage, property: Reflection['property']) {
  const decoded = new Map<number, Variant | undefined>();

  function valueAt(index: number): Variant | undefined {
    if (!decoded.has(index)) {
      const result = variantFromWire(data.values[index]);
      decoded.set(index, result.ok ? result.value : undefined);
    }
    return decoded.get(index);
  }

  return {
    defaultOf(className: string, name: string): Variant | undefined {
      const canonicalName = property(className, name)?.canonicalName ?? name;
      const owner = lineage(className).find(([, , , own]) => Object.hasOwn(own, canonicalName));
      const index = owner?.[3][canonicalName] ?? null;
      return index === null ? emptyOnEveryInstance.get(canonicalName) : valueAt(index);
    },
    defaultNames(className: string): ReadonlySet<string> {
      const indexes = new Map<string, number | null>();
      for (const [, , , own] of lineage(className).toReversed())
        for (const [name, index] of Object.entries(own)) indexes.set(name, index);
      return new Set(Array.from(indexes.keys()).filter(name => indexes.get(name) !== null));
    },
  };
}

function createEnumLookup(enums: Entries<Readonly<Record<string, number>>>) {
  const items = new Map<string, ReadonlyMap<string, number>>();
  const names = new Map<string, ReadonlyMap<number, string>>();

  function enumItems(enumName: string): ReadonlyMap<string, number> {
    const known = items.get(enumName);
    if (known) return known;
    const read = new Map(Object.entries(enums.get(enumName) ?? {}));
    items.set(enumName, read);
    return read;
  }

  function enumItemName(enumName: string, value: number): string | undefined {
    let known = names.get(enumName);
    if (known === undefined) {
      // The first of several items with one number is used: later ones are its old names.
      known = new Map(Array.from(enumItems(enumName), ([name, number]) => [number, name] as const).toReversed());
      names.set(enumName, known);
    }
    return known.get(value);
  }

  return { enumItems, enumItemName };
}

const emptyOnEveryInstance: ReadonlyMap<string, Variant> = new Map<string, Variant>([
  ['Attributes', { type: 'Attributes', value: new Map() }],
  ['Tags', { type: 'Tags', value: [] }],
]);

// The generated data contains only names of property types and, after `@`, of enums.
const parseType = (name: string): DeclaredType =>
  name.startsWith('@') ? { enum: name.slice(1) } : (name as VariantType);

function parseSerialization(name: string, how: Exclude<ReflectionRow[2], { aliasFor: string }>): Serialization {
  if (how === 0) return { kind: 'no' };
  if (how === 1) return { kind: 'yes', as: name };
  return 'as' in how ? { kind: 'yes', as: how.as } : { kind: 'migrates', ...how };
}
