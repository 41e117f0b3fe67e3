import type { ProjectPath } from '../../../base/brand.ts';
import { carryIds } from '../identity/carry-ids.ts';
import { hintsOf } from '../identity/hints.ts';
import type { IdsOfModule } from '../identity/ids.ts';
import type { LoadedModule } from './load-module.ts';
import { parseModule } from '../syntax/parse.ts';
import { stdText } from '../std/std-modules.ts';
import { stdNameOf } from '../std/std-path.ts';

/** Reads the modules of the language; each is parsed once. */
export function embeddedModules(idsOf: IdsOfModule): (path: ProjectPath) => LoadedModule | undefined {
  const known = new Map<ProjectPath, LoadedModule>();
  return path => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const name = stdNameOf(path);
    const text = name === undefined ? undefined : stdText(name);
    if (text === undefined) return undefined;
    const module = parseModule(text);
    carryIds({ before: undefined, after: module, makeId: idsOf(path), hints: hintsOf(module) });
    const loaded: LoadedModule = { kind: 'loaded', path, module, container: undefined, gitBlob: '' };
    known.set(path, loaded);
    return loaded;
  };
}
