import type { ProjectPath } from '../../base/brand.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import type { Dialect } from '../project-file/project-file.ts';
import type { FileTraits, TextFormat } from '../snapshot/file-traits.ts';
import type { SnapshotPass } from '../snapshot/pass.ts';
import type { SnapshotOutcome, SnapshotSettings } from '../snapshot/source-snapshot.ts';

/**
 * Everything the project knows about one kind of file: names, reading and writing. A new kind is a file with one of these and a line in
 * `standard-file-kinds.ts`.
 */
export interface FileKind extends FileTraits {
  /** The words for this kind in `use` of a project's `syncRules`. */
  readonly syncRuleNames: readonly string[];
  readonly suffixes: readonly FileSuffix[];
  readonly read: (pass: SnapshotPass, file: SourceFile) => Promise<SnapshotOutcome | 'broken' | undefined>;
  /** Reads an init file, for kinds with an `initOrder`. */
  readonly readInit?: ReadContent;
  /** Makes the file of a new instance; `undefined` when this kind cannot hold the instance. */
  readonly create?: (instance: NewInstance, settings: ScriptSettings) => NewFile | undefined;
}

/** How file names of a kind end. Of several suffixes that fit a name, the longest is used. */
export interface FileSuffix {
  readonly suffix: string;
  /** Applies to both dialects when absent. */
  readonly dialect?: Dialect;
  /** A file whose whole name is the suffix keeps that name; otherwise the name of its instance is empty. */
  readonly keepsBareName?: true;
  /** `init` with this suffix describes its folder. Of several init files in a folder, the one with the lowest number is used. */
  readonly initOrder?: { readonly [D in Dialect]?: number };
}

/** A file to read, and its kind. */
export interface SourceFile {
  readonly path: ProjectPath;
  /** The name of the instance according to the file name. */
  readonly name: string;
  readonly kind: FileKind;
  readonly settings: SnapshotSettings;
}

/**
 * Reads what one file says about its instance. `undefined`: the file does not exist. `'broken'`: the file cannot be read, which has been
 * reported; the tree keeps what it has.
 */
export type ReadContent = (
  pass: SnapshotPass,
  path: ProjectPath,
  settings: SnapshotSettings,
) => Promise<InstanceContent | 'broken' | undefined>;

export interface InstanceContent {
  readonly className: string;
  readonly properties: ReadonlyMap<string, Variant>;
  /** The property that is the text of the file, when edits of it can be written back. */
  readonly text?: TextFormat;
}

/** The properties of a new instance that determine its files. */
export interface NewInstance {
  readonly className: string;
  readonly hasChildren: boolean;
  readonly properties: ReadonlyMap<string, Variant>;
  /** The properties that files must set: no defaults, and nothing that a rule of the project excludes. */
  readonly written: ReadonlyMap<string, Variant>;
}

export interface NewFile {
  readonly suffix: string;
  readonly text: string;
  /** The values that the file cannot contain, for its meta file. */
  readonly values: Map<string, Variant>;
}

export type ScriptSettings = Pick<SnapshotSettings, 'dialect' | 'emitLegacyScripts'>;

/** The text of a property, and the values without it; `undefined` when the property holds something else. */
export function takeText(
  { properties, written }: NewInstance,
  name: string,
): { readonly text: string; readonly values: Map<string, Variant> } | undefined {
  const value = properties.get(name) ?? { type: 'String', value: '' };
  if (value.type !== 'String') return undefined;
  const values = new Map(written);
  values.delete(name);
  return { text: value.value, values };
}
