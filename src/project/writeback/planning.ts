import type { Ref, ProjectPath } from '../../base/brand.ts';
import type { TimeSlice } from '../../base/time-slice.ts';
import type { SourceLocation, PropertiesLocation } from '../snapshot/source-snapshot.ts';
import type { RenamedInstance } from '../project-session.ts';
import type { FileNames } from './file-names.ts';
import type { FileDrafts } from './file-drafts.ts';
import type { ModelFiles } from './model-files.ts';
import type { PullContext } from './pull-context.ts';

/** A reference to write once the locations of all instances are known. */
export interface PendingReference {
  /** The index of its pull. */
  readonly pull: number;
  /** The id of the instance with the reference, in the tree or of a new instance. */
  readonly owner: string;
  readonly className: string;
  readonly property: string;
  /** The id of the target; `NULL_REF` for none. */
  readonly target: string;
}

/** The location of a new instance. */
export interface NewInstanceLocation {
  /** The location of its attributes; `undefined` in a binary or XML model. */
  readonly location: PropertiesLocation | undefined;
  /** Path segments without the root. */
  readonly segments: readonly string[];
  /** Set for an instance in a binary or XML model. */
  readonly model?: { readonly file: ProjectPath; readonly referent: string };
}

/** The state of planning several pulls. */
export interface Planning {
  readonly context: PullContext;
  readonly drafts: FileDrafts;
  readonly names: FileNames;
  readonly models: ModelFiles;
  /** New locations of the instances that this plan converts to folders or renames. */
  readonly converted: Map<Ref, SourceLocation>;
  readonly newLocations: Map<string, NewInstanceLocation>;
  /** The folders of new instances, by id. */
  readonly newFolders: Map<string, ProjectPath>;
  readonly references: PendingReference[];
  /** Ids of the targets of references in this plan. */
  readonly referenced: ReadonlySet<string>;
  /** The file or folder of the new or renamed instance, by the index of its pull. */
  readonly entries: Map<number, ProjectPath>;
  readonly renamed: RenamedInstance[];
  /** The indexes of the pulls that rename instances. */
  readonly renamedBy: Map<Ref, number>;
  /** Instances whose files this plan removes. */
  readonly removed: Set<Ref>;
  readonly slice: TimeSlice;
  /** The index of the pull being planned. */
  pull: number;
  /** Files and properties to exclude. */
  readonly limits: WriteLimits;
}

export interface WriteLimits {
  /** Whether the file must not be written. */
  readonly excludesFile: (path: ProjectPath) => boolean;
  /** Whether a property must not be written. */
  readonly excludesProperty: (className: string, name: string) => boolean;
  /** The handling of a reference to an instance that is in no file. */
  readonly unwritableReferences: 'refuse' | 'skip';
}

export const noLimits: WriteLimits = {
  excludesFile: () => false,
  excludesProperty: () => false,
  unwritableReferences: 'refuse',
};
