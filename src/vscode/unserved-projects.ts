import type * as vscode from 'vscode';
import { Emitter, type Event } from '../base/emitter.ts';
import { folderLabel, keyOfProject, type ProjectFolder } from './project-folder.ts';

/** A project of the window without a bridge. */
export interface UnservedProject {
  /** Identifies the project in the workspace (`keyOfProject`). */
  readonly key: string;
  /** The path of its file in the window. */
  readonly label: string;
  readonly file: vscode.Uri;
  /** `undefined`: this window serves the maximum number of projects. */
  readonly error: ProjectFileError | UnreadableFolder | undefined;
}

/** The error in a project file. Line and column start at 1; `expected` completes the sentence "expected …". */
interface ProjectFileError {
  readonly line: number;
  readonly column: number;
  readonly expected: string;
}

/** The reason why a folder cannot be read, in words. */
interface UnreadableFolder {
  readonly unreadable: string;
}

/** The projects of the window that are not served, for everything that shows projects. */
export interface UnservedProjects {
  all(): readonly UnservedProject[];
  readonly onDidChange: Event<void>;
}

/** The folders of the workspace that cannot be read, which may have a project. */
export const unreadableFolders = (found: readonly ProjectFolder[]): readonly UnservedProject[] =>
  found.flatMap(one => {
    if (one.failure === undefined) return [];
    const error = { unreadable: one.failure };
    return [{ key: keyOfProject(one), label: folderLabel(one.uri), file: one.uri, error }];
  });

export function createUnservedProjects(): UnservedProjects & {
  readonly set: (all: readonly UnservedProject[]) => void;
} {
  const changed = new Emitter<void>();
  let now: readonly UnservedProject[] = [];
  return {
    all: () => now,
    onDidChange: changed.event,
    set(all) {
      const isSame = JSON.stringify(all) === JSON.stringify(now);
      now = all;
      if (!isSame) changed.fire();
    },
  };
}
