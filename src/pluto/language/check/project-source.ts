import type { CheckSource } from './report/answers.ts';
import type { IdsOfModule } from '../identity/ids.ts';
import { embeddedModules } from '../modules/embedded.ts';
import type { LoadedModule } from '../modules/load-module.ts';
import type { PlutoProject } from '../modules/pluto-project.ts';

/** The loaded modules of a project as a source for the checker. Modules that were never loaded are missing from it: load them first. */
export function projectSource(project: PlutoProject, idsOf: IdsOfModule): CheckSource {
  const embedded = embeddedModules(idsOf);
  return {
    modules: () => project.loaded.filter((state): state is LoadedModule => state.kind === 'loaded'),
    importsOf: module => project.importsOf(module),
    embedded,
    unreadable: () =>
      new Map(
        project.loaded.flatMap(state => (state.kind === 'unreadable' ? [[state.path, state.problem.reason]] : [])),
      ),
    get manifestProblems() {
      return project.manifestProblems;
    },
  };
}
