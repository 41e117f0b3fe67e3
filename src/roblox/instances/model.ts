import type { Variant } from '../values/variant.ts';

/** An instance of a model or place file. `Ref` properties contain referents of the same file until a reader assigns Refs. */
export interface ModelInstance {
  /** Unique in its file; `Ref` properties of the file refer to it. */
  readonly referent: string;
  readonly className: string;
  readonly name: string;
  readonly properties: ReadonlyMap<string, Variant>;
  readonly children: readonly ModelInstance[];
  /** Properties of unknown XML types by name, as in the file; written back unchanged. */
  readonly unknownXml?: ReadonlyMap<string, string>;
}

/** A model or place file: for a place, the roots are the services. */
export interface Model {
  readonly roots: readonly ModelInstance[];
  readonly metadata: ReadonlyMap<string, string>;
  /** Properties of a binary file with unknown types. */
  readonly unknownColumns?: readonly UnknownColumn[];
}

/** A property of an unknown type of all instances of a class: written back unchanged while none of them is added or removed. */
export interface UnknownColumn {
  readonly className: string;
  readonly name: string;
  /** The number of the type in the file. */
  readonly typeId: number;
  readonly bytes: Uint8Array;
  /** Referents of the instances, in the order of the values. */
  readonly owners: readonly string[];
}

/** A sentence for each property with unreadable values. */
export const unknownColumnWarnings = ({ unknownColumns = [] }: Model): readonly string[] =>
  unknownColumns.map(
    ({ className, name, typeId }) => `${className}.${name} has the unknown type 0x${typeId.toString(16)}`,
  );
