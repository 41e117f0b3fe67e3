import { AppError } from '../../../base/errors.ts';
import type { LoadedModule } from '../../language/modules/load-module.ts';
import { stdNameOf } from '../../language/std/std-path.ts';
import { type ItemAt, itemWithId } from '../items.ts';

/** @throws AppError PLUTO_MODULE_NOT_FOUND, PLUTO_EDIT_REFUSED */
export function loadedModule(modules: readonly LoadedModule[], path: LoadedModule['path']): LoadedModule {
  const found = modules.find(module => module.path === path);
  if (found !== undefined) return found;
  if (stdNameOf(path) !== undefined)
    throw new AppError('PLUTO_EDIT_REFUSED', { reason: `${path} is part of the standard library` });
  throw new AppError('PLUTO_MODULE_NOT_FOUND', { path });
}

/** An item of the project. @throws AppError PLUTO_UNKNOWN_ID */
export function itemIn(modules: readonly LoadedModule[], id: string): ItemAt {
  const found = itemWithId(modules, id);
  if (found === undefined) throw new AppError('PLUTO_UNKNOWN_ID', { id });
  return found;
}
