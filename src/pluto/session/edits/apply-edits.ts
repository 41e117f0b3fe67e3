import { AppError } from '../../../base/errors.ts';
import type { LoadedModule } from '../../language/modules/load-module.ts';
import type { DeclId } from '../../language/syntax/ast/node.ts';
import { eachItem, type Item, partsOf } from '../../language/syntax/parts.ts';
import { changedModule, type ChangeRequest } from '../changed-module.ts';
import { syntaxErrors } from './snippet.ts';

/**
 * Applies edits that must not add syntax errors.
 * @throws AppError PLUTO_EDIT_REFUSED if they would
 */
export function changeKeepingSyntax(request: ChangeRequest): LoadedModule {
  const after = changedModule(request);
  if (addsNoSyntaxErrors(request.before, after)) return after;
  const [first] = syntaxErrors(after.module);
  throw new AppError('PLUTO_EDIT_REFUSED', {
    reason: `it does not fit into ${request.before.path}: ${first?.message ?? 'the code around it would break'}`,
  });
}

export const addsNoSyntaxErrors = (before: LoadedModule, after: LoadedModule): boolean =>
  syntaxErrors(after.module).length <= syntaxErrors(before.module).length;

/** The outermost items with new ids. */
export function newItems(before: LoadedModule, after: LoadedModule): readonly Item[] {
  const old = new Set<DeclId>();
  eachItem(before.module.tree.items, ({ id }) => id !== undefined && old.add(id));
  const found: Item[] = [];
  eachItem(after.module.tree.items, (item, owners) => {
    const isNew = item.id !== undefined && !old.has(item.id);
    if (isNew && !owners.some(owner => found.includes(owner))) found.push(item);
  });
  return found;
}

/** The ids of an item and its parts. */
export function idsWithin(item: Item): Set<DeclId> {
  const ids = new Set<DeclId>();
  const walk = (one: Item): void => {
    if (one.id !== undefined) ids.add(one.id);
    for (const part of partsOf(one)) walk(part);
  };
  walk(item);
  return ids;
}
