import type { Variant } from './variant.ts';

/** An instance of a model or place file. `Ref` properties hold referents of the same file until a reader has given them Refs. */
export interface ModelInstance {
  /** Unique in its file; what `Ref` properties of the file point to. */
  readonly referent: string;
  readonly className: string;
  readonly name: string;
  readonly properties: ReadonlyMap<string, Variant>;
  readonly children: readonly ModelInstance[];
  /** Properties of XML types that are not known, as they stand in the file, by name; written back unchanged. */
  readonly unknownXml?: ReadonlyMap<string, string>;
}

/** A model or place file: for a place, the roots are the services. */
export interface Model {
  readonly roots: readonly ModelInstance[];
  readonly metadata: ReadonlyMap<string, string>;
  /** What a binary file holds and this program cannot read or keep, a sentence each: a file written from the model lacks it. */
  readonly unread?: readonly string[];
}
