import type { Ref, ProjectPath } from '../../base/brand.ts';
import type { SourceLocation, PropertiesLocation } from '../snapshot/source-snapshot.ts';
import type { FileNames } from './file-names.ts';
import type { FileDrafts } from './file-drafts.ts';
import type { ModelFiles } from './model-files.ts';
import type { PullContext } from './pull-context.ts';

/** A reference that goes into files once all instances have their places. */
export interface PendingReference {
  /** The pull that it belongs to. */
  readonly pull: number;
  /** The instance that points; an id of the tree, or of a new instance. */
  readonly owner: string;
  readonly className: string;
  readonly property: string;
  /** An id likewise; `NULL_REF` for no instance. */
  readonly target: string;
}

/** Where a new instance will be. */
export interface NewPlace {
  /** Where its attributes go; `undefined` in a binary or XML model. */
  readonly location: PropertiesLocation | undefined;
  /** Names of files and instances from below the root. */
  readonly segments: readonly string[];
  /** In a binary or XML model. */
  readonly model?: { readonly file: ProjectPath; readonly referent: string };
}

/** One plan in the making, over several pulls. */
export interface Planning {
  readonly context: PullContext;
  readonly drafts: FileDrafts;
  readonly names: FileNames;
  readonly models: ModelFiles;
  /** Instances whose single file becomes a folder in this plan. */
  readonly converted: Map<Ref, SourceLocation>;
  readonly newPlaces: Map<string, NewPlace>;
  readonly references: PendingReference[];
  /** Ids that some reference of the plan points to. */
  readonly referenced: ReadonlySet<string>;
  /** Which pull is being planned. */
  pull: number;
  /** What of files and instances to leave alone; everything is for the taking without it. */
  readonly limits: WriteLimits;
}

export interface WriteLimits {
  /** Whether nothing may be written at that path. */
  readonly hidesFile: (path: ProjectPath) => boolean;
  /** Whether a property is not for files. */
  readonly hidesProperty: (className: string, name: string) => boolean;
  /** A reference to what no file holds: refused, or left out. */
  readonly lostReferences: 'refuse' | 'leave out';
}

export const noLimits: WriteLimits = {
  hidesFile: () => false,
  hidesProperty: () => false,
  lostReferences: 'refuse',
};
