import type { ProjectPath } from '../../base/brand.ts';
import type { InstanceMetadata, ModelPlace } from '../../roblox/instances/instance.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import type { FileTraits, TextFormat } from './file-traits.ts';
import type { JsonPath } from '../../roblox/formats/json5-edit.ts';
import type { SyncRule } from '../project-file/sync-rule.ts';
import type { Dialect, GlobRule, ProjectFile, ProjectNode } from '../project-file/project-file.ts';

/** What files inherit from the projects around them. Compared by identity: an object stands for one reading of the project files. */
export interface SnapshotSettings {
  readonly dialect: Dialect;
  readonly emitLegacyScripts: boolean;
  readonly syncScriptsOnly: boolean;
  /** Of the innermost project alone; paths are relative to its folder. */
  readonly syncRules: { readonly folder: ProjectPath; readonly rules: readonly SyncRule[] } | undefined;
  /** Outer projects first; a rule sees paths relative to the folder of its project. */
  readonly ignoreRules: readonly { readonly folder: ProjectPath; readonly rule: GlobRule }[];
  /** Project files that are being read, outermost first: one that comes again is a cycle. */
  readonly projects: readonly ProjectPath[];
}

/** What to read again when something that an instance came from has changed. */
export type Origin =
  | { readonly kind: 'path'; readonly entry: ProjectPath; readonly settings: SnapshotSettings }
  | {
      readonly kind: 'node';
      readonly project: ProjectFile;
      readonly names: readonly string[];
      readonly node: ProjectNode;
      readonly parentClass: string | undefined;
      readonly settings: SnapshotSettings;
    };

/** An object of a JSON file that can hold properties of an instance. */
export interface PropertiesLocation {
  readonly kind: 'meta' | 'model' | 'node';
  readonly file: ProjectPath;
  /** False for a meta file that would have to be made. */
  readonly exists: boolean;
  /** The object that has the two members below, or can get them. */
  readonly at: JsonPath;
  readonly propertiesKey: string;
  readonly attributesKey: string;
  /** The member that says the id by which references find the instance; some objects have none. */
  readonly idKey?: 'id' | '$id';
  readonly hasAttributes: boolean;
  /** Canonical names of the properties that it sets now, and the keys that it uses for them. */
  readonly keys: ReadonlyMap<string, string>;
}

/** Where files describe an instance: a pull writes there, a deletion removes those files. */
export type SourceLocation =
  | (LocationParts & {
      /** A node of a project file. */
      readonly kind: 'node';
      /** Names of child nodes that make no instance because their optional path does not exist. */
      readonly missing?: readonly string[];
    })
  | (LocationParts & { readonly kind: 'folder'; readonly folder: ProjectPath; readonly entry: ProjectPath })
  | (LocationParts & { readonly kind: 'file'; readonly fileKind: FileTraits; readonly entry: ProjectPath })
  /** Inside a file that describes several instances. */
  | (LocationParts & { readonly kind: 'insideFile'; readonly fileKind: FileTraits });

interface LocationParts {
  /** The kind of the file that describes the instance alone or with everything below it. */
  readonly fileKind?: FileTraits;
  /** The file whose text is a property. */
  readonly text?: { readonly path: ProjectPath; readonly format: TextFormat };
  /** The last one applied first: a property goes to the first that sets it already, or else to the last. */
  readonly values: readonly PropertiesLocation[];
  /** The folder that holds the files of its children. */
  readonly folder?: ProjectPath;
  /** The array of children in a JSON model, whether it exists or not. */
  readonly children?: { readonly file: ProjectPath; readonly at: JsonPath };
  /** The file or folder that is the instance; absent inside model files and for project nodes. */
  readonly entry?: ProjectPath;
}

/** An instance as files describe it, with where it came from. Children are in the order of the tree. */
export interface SourceSnapshot {
  readonly kind: 'instance';
  /** Names the same place in the files from one reading to the next; `undefined` inside model files. */
  readonly key: string | undefined;
  readonly origin: Origin | undefined;
  readonly location: SourceLocation;
  readonly name: string;
  readonly className: string;
  readonly properties: ReadonlyMap<string, Variant>;
  /** Properties whose new value cannot be read: the tree keeps the value that it has. */
  readonly unreadable: ReadonlySet<string>;
  readonly children: readonly SnapshotOutcome[];
  readonly metadata: InstanceMetadata;
  readonly specifiedId?: string | undefined;
  readonly modelPlace?: ModelPlace | undefined;
}

/** Whatever the tree holds at that key stays as it is: it was not read again, or it cannot be read now (`broken`). */
export interface RetainedSnapshot {
  readonly kind: 'kept';
  readonly key: string;
  readonly broken: boolean;
}

export type SnapshotOutcome = SourceSnapshot | RetainedSnapshot;

/** The path itself: no path holds a NUL, every key of a node does. */
export const pathKey = (entry: ProjectPath): string => entry;
export const nodeKey = (file: ProjectPath, names: readonly string[]): string => [file, '', ...names].join('\0');
export const isNodeKey = (key: string): boolean => key.includes('\0');

export const brokenAt = (key: string): RetainedSnapshot => ({ kind: 'kept', key, broken: true });

/** Whether reading again from `b` must give the same as from `a` while the files are the same. */
export function sameOrigin(a: Origin, b: Origin): boolean {
  if (a.settings !== b.settings) return false;
  if (a.kind === 'path') return b.kind === 'path' && a.entry === b.entry;
  return b.kind === 'node' && a.node === b.node && a.parentClass === b.parentClass;
}
