import type { ProjectPath } from '../../base/brand.ts';
import type { Event } from '../../base/emitter.ts';
import { writeView } from '../language/pt/view.ts';
import type { PlutoSession, SessionChange } from './pluto-session.ts';
import type { SaveResult } from './save-modules.ts';

/** A module with unsaved edits, as an editor shows it. */
export interface UnsavedModule {
  readonly path: ProjectPath;
  readonly isContainer: boolean;
  /** The source; for a container its view with the ids. */
  readonly text: string;
}

/** The unsaved edits of agents, for an editor that shows the same files. */
export interface UnsavedEdits {
  /** Sorted. */
  paths(): readonly ProjectPath[];
  readonly onDidChange: Event<SessionChange>;
  /** @throws AppError PLUTO_MODULE_NOT_FOUND */
  module(path: ProjectPath): Promise<UnsavedModule>;
  /** Saves modules. A file that has changed on disk is not overwritten: its result is `failed`. */
  save(paths: readonly ProjectPath[], signal: AbortSignal): Promise<readonly SaveResult[]>;
}

export const unsavedEditsOf = (session: PlutoSession): UnsavedEdits => ({
  paths: () => session.dirty,
  onDidChange: session.onDidChange,
  async module(path) {
    const { module, container } = await session.module(path);
    const isContainer = container !== undefined;
    return { path, isContainer, text: isContainer ? writeView(module) : module.text };
  },
  save: (paths, signal) => session.save(signal, paths),
});
