import type { ProjectPath } from '../../base/brand.ts';
import type { InstanceMetadata, ModelPlace } from '../../roblox/instances/instance.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import type { FileTraits, TextFormat } from './file-traits.ts';
import type { JsonPath } from '../../roblox/formats/json5-edit.ts';
import type { SyncRule } from '../project-file/sync-rule.ts';
import type { Dialect, GlobRule, ProjectFile, ProjectNode } from '../project-file/project-file.ts';

/** Settings that files inherit from the enclosing projects. Compared by identity: one object per read of the project files. */
export interface SnapshotSettings {
  readonly dialect: Dialect;
  readonly emitLegacyScripts: boolean;
  readonly syncScriptsOnly: boolean;
  /** The rules of the innermost project. Paths are relative to its folder. */
  readonly syncRules: { readonly folder: ProjectPath; readonly rules: readonly SyncRule[] } | undefined;
  /** Outer projects first. Paths are relative to the folder of the project with the rule. */
  readonly ignoreRules: readonly { readonly folder: ProjectPath; readonly rule: GlobRule }[];
  /** Project files being read, outermost first, to detect cycles. */
  readonly projects: readonly ProjectPath[];
}

/** The files to read again when a file of an instance changes. */
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

/** An object in a JSON file that can set properties of an instance. */
export interface PropertiesLocation {
  readonly kind: 'meta' | 'model' | 'node';
  readonly file: ProjectPath;
  /** False for a meta file that does not exist yet. */
  readonly exists: boolean;
  /** The path of the object that contains the two members below. */
  readonly at: JsonPath;
  readonly propertiesKey: string;
  readonly attributesKey: string;
  /** The member with the reference id of the instance, if the object can have one. */
  readonly idKey?: 'id' | '$id';
  readonly hasAttributes: boolean;
  /** Canonical names of the properties that the object sets, with their keys in the file. */
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
  /** Highest precedence first. A property is written to the first location that already sets it, or else to the last one. */
  readonly values: readonly PropertiesLocation[];
  /** The folder that holds the files of its children. */
  readonly folder?: ProjectPath;
  /** The array of children in a JSON model, whether it exists or not. */
  readonly children?: { readonly file: ProjectPath; readonly at: JsonPath };
  /** The file or folder of the instance; absent inside model files and for project nodes. */
  readonly entry?: ProjectPath;
}

/** An instance as files describe it, with its source. Children are in tree order. */
export interface SourceSnapshot {
  readonly kind: 'instance';
  /** Identifies the file location across reads; `undefined` inside model files. */
  readonly key: string | undefined;
  readonly origin: Origin | undefined;
  readonly location: SourceLocation;
  readonly name: string;
  readonly className: string;
  readonly properties: ReadonlyMap<string, Variant>;
  /** Properties whose new value is invalid. The tree keeps their previous values. */
  readonly unreadable: ReadonlySet<string>;
  readonly children: readonly SnapshotOutcome[];
  readonly metadata: InstanceMetadata;
  readonly specifiedId?: string | undefined;
  readonly modelPlace?: ModelPlace | undefined;
}

/** Keeps the current instance with that key: it was reused, or its file cannot be read (`broken`). */
export interface RetainedSnapshot {
  readonly kind: 'kept';
  readonly key: string;
  readonly broken: boolean;
}

export type SnapshotOutcome = SourceSnapshot | RetainedSnapshot;

/** The key of a file or folder: its path. Keys of nodes differ because they contain a NUL. */
export const pathKey = (entry: ProjectPath): string => entry;
export const nodeKey = (file: ProjectPath, names: readonly string[]): string => [file, '', ...names].join('\0');
export const isNodeKey = (key: string): boolean => key.includes('\0');

export const brokenSnapshot = (key: string): RetainedSnapshot => ({ kind: 'kept', key, broken: true });

/** Whether two origins produce the same instance from the same files. */
export function isSameOrigin(a: Origin, b: Origin): boolean {
  if (a.settings !== b.settings) return false;
  if (a.kind === 'path') return b.kind === 'path' && a.entry === b.entry;
  return b.kind === 'node' && a.node === b.node && a.parentClass === b.parentClass;
}
