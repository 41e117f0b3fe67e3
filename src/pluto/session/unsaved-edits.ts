import type { ProjectPath } from '../../base/brand.ts';
import type { Event } from '../../base/emitter.ts';
import { writeView } from '../language/pt/view.ts';
import type { PlutoSession, SaveResult, SessionChange } from './pluto-session.ts';

/** A module that differs in memory from its file, as somebody who does not edit it here is shown it. */
export interface UnsavedModule {
  readonly path: ProjectPath;
  readonly isContainer: boolean;
  /** The text as an editor shows it: of a container its view with the ids. */
  readonly text: string;
}

/** What agents have edited and not saved: for those who look at the same files. */
export interface UnsavedEdits {
  /** Sorted. */
  paths(): readonly ProjectPath[];
  readonly onDidChange: Event<SessionChange>;
  /** @throws AppError PLUTO_MODULE_NOT_FOUND */
  module(path: ProjectPath): Promise<UnsavedModule>;
  /** Saves as an agent would: a file that has changed meanwhile fails, and is not overwritten. */
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
