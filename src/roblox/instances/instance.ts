import type { ProjectPath, Ref } from '../../base/brand.ts';
import type { Variant } from '../values/variant.ts';

/** The source of an instance. `projectNode`: a node of the project file, with its names from the root. */
export type Source =
  | { readonly kind: 'path'; readonly path: ProjectPath }
  | {
      readonly kind: 'projectNode';
      readonly file: ProjectPath;
      readonly names: readonly string[];
      readonly path?: ProjectPath;
    };

export interface InstanceMetadata {
  /** Children in Studio that are not in the project are ignored. */
  readonly ignoreUnknownInstances: boolean;
  /** `globIgnorePaths` excluded a child, so unknown children must not be offered for removal. */
  readonly globIgnoredChildren: boolean;
  /** The file or folder to edit; `undefined` for an instance without a file (a node inside a model file). */
  readonly source: Source | undefined;
  /** Every path whose change can affect this instance: the file, its meta file, the candidates for `init`. */
  readonly relevantPaths: readonly ProjectPath[];
}

/** The position of an instance in a model file, with facts that require all instances of the file. */
export interface ModelPlace {
  /** The one instance at the top of the file. */
  readonly isTop: boolean;
  /** Unique in the file. */
  readonly referent: string;
  /** Properties that refer to another instance of the file, with that instance. They are not among the properties. */
  readonly references: ReadonlyMap<string, { readonly type: 'Ref' | 'Content'; readonly referent: string }>;
  /** Properties of unknown XML types by name, as the file has them. */
  readonly unknownXml?: ReadonlyMap<string, string>;
}

/** An instance by its id, or by a path of names. */
export interface NamedTarget {
  readonly by: 'id' | 'path';
  readonly text: string;
  /** The attributes that name the target, by their names in the files: several if they also use an old name of the property. */
  readonly attributes: readonly string[];
}

/** An instance described by files, before it has an id. Plain data; children in tree order. */
export interface Snapshot {
  readonly name: string;
  readonly className: string;
  readonly properties: ReadonlyMap<string, Variant>;
  readonly children: readonly Snapshot[];
  readonly metadata: InstanceMetadata;
  /** `$id` or meta `id`, for references between files. */
  readonly specifiedId?: string;
}

/** An instance of the tree. Immutable: an update is another object with the same id. */
export interface Instance {
  readonly id: Ref;
  /** `NULL_REF` for the root. */
  readonly parent: Ref;
  readonly name: string;
  readonly className: string;
  readonly properties: ReadonlyMap<string, Variant>;
  readonly children: readonly Ref[];
  readonly metadata: InstanceMetadata;
  /** The id in its files for references from others: `$id`, `id`, or the attribute `Rojo_Id`. */
  readonly specifiedId?: string | undefined;
  /** Properties, by their canonical names, that refer to other instances by names in files: attributes `Rojo_Target_…`, in Atlas also `Rojo_Ref_…`. */
  readonly namedTargets?: ReadonlyMap<string, NamedTarget> | undefined;
  /** For instances of `.rbxm` and `.rbxmx` files. */
  readonly modelPlace?: ModelPlace | undefined;
}
