import { insertDeclaration } from '../../language/edit/edit-items.ts';
import type { DeclId } from '../../language/syntax/ast/node.ts';
import type { PlutoSession } from '../pluto-session.ts';
import { newItems, changeKeepingSyntax } from './apply-edits.ts';
import { addImports, importLine } from './imports.ts';
import { loadedModule } from './loaded-module.ts';
import { readPosition } from './position.ts';
import { declarationsOf, readSnippet } from './snippet.ts';

export interface AddedItem {
  readonly id: DeclId;
  readonly modules: readonly string[];
}

/**
 * Adds one declaration, and the imports above it that the module lacks.
 * @param position `before:<id>`, `after:<id>` of a declaration of the module, or `end`
 * @throws AppError PLUTO_MODULE_NOT_FOUND, PLUTO_SOURCE_INVALID, PLUTO_EDIT_REFUSED
 */
export async function addDeclaration(
  session: PlutoSession,
  { path, source, position }: { readonly path: string; readonly source: string; readonly position: string },
  signal: AbortSignal,
): Promise<AddedItem> {
  const snippet = readSnippet(source, 'nothing', 'The declaration');
  const module = await session.module(path);
  const planned = await session.transact('add_declaration', signal, modules => {
    const before = loadedModule(modules, module.path);
    const place = readPosition(position, declarationsOf(before.module), path);
    const imports = addImports(before.module, snippet.imports.map(importLine));
    const edits = [...imports, insertDeclaration(before.module, snippet.text, place)];
    const after = changeKeepingSyntax({ before, edits, makeId: session.idsFor(before.path) });
    const added = newItems(before, after).find(({ kind }) => kind === snippet.item.kind);
    return { modules: [after], id: requireId(added) };
  });
  return { id: planned.id, modules: planned.modules.map(one => one.path) };
}

export function requireId(item: { readonly id: DeclId | undefined } | undefined): DeclId {
  if (item?.id === undefined) throw new Error('the edited text lacks the new item');
  return item.id;
}
