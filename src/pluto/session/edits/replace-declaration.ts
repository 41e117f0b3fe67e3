import { AppError } from '../../../base/errors.ts';
import { replaceItem } from '../../language/edit/edit-items.ts';
import { eachItem, type Item, kindNames, oneOfKind } from '../../language/syntax/parts.ts';
import type { ItemAt } from '../items.ts';
import type { PlutoSession } from '../pluto-session.ts';
import { type AddedItem } from './add-declaration.ts';
import { idsWithin, changeKeepingSyntax } from './apply-edits.ts';
import { addImports, importLine } from './imports.ts';
import { itemIn } from './loaded-module.ts';
import { type SnippetContext, readSnippet } from './snippet.ts';

/**
 * Replaces the source of a declaration or member with one of the same kind. Keeps its id; its parts are matched by name, then by content.
 * @throws AppError PLUTO_UNKNOWN_ID, PLUTO_SOURCE_INVALID, PLUTO_EDIT_REFUSED
 */
export async function replaceDeclaration(
  session: PlutoSession,
  { id, source }: { readonly id: string; readonly source: string },
  signal: AbortSignal,
): Promise<AddedItem> {
  await session.item(id, signal);
  const planned = await session.transact('replace_declaration', signal, modules => {
    const at = itemIn(modules, id);
    const snippet = readSnippet(source, aroundOf(at), 'The replacement');
    if (snippet.item.kind !== at.item.kind)
      throw new AppError('PLUTO_EDIT_REFUSED', {
        reason: `${oneOfKind(at.item)} cannot be replaced by ${oneOfKind(snippet.item)}`,
      });
    const { module: before } = at;
    const imports = addImports(before.module, snippet.imports.map(importLine));
    const shift = imports.reduce((sum, { text }) => sum + text.length, 0);
    const edit = replaceItem(before.module, at.item, snippet.text);
    const from = edit.span.start + shift;
    const after = changeKeepingSyntax({
      before,
      edits: [...imports, edit],
      replaced: idsWithin(at.item),
      knownIds: parsed => {
        const start = firstStart(parsed.tree.items, at.item.kind, from, from + edit.text.length);
        return start === undefined ? [] : [[start, at.id] as const];
      },
      makeId: session.idsFor(before.path),
    });
    // Fails if the edit lost the id.
    itemIn([after], id);
    return { modules: after === before ? [] : [after], id: at.id };
  });
  return { id: planned.id, modules: planned.modules.map(({ path }) => path) };
}

/** The start of the first item of a kind in a range of the text, which may begin with comments. */
function firstStart(
  items: Parameters<typeof eachItem>[0],
  kind: Item['kind'],
  from: number,
  to: number,
): number | undefined {
  let found: number | undefined;
  eachItem(items, item => {
    if (item.kind === kind && item.start >= from && item.start < to) found ??= item.start;
  });
  return found;
}

/** @throws AppError PLUTO_EDIT_REFUSED if the item cannot be parsed on its own */
function aroundOf({ item, owners }: Pick<ItemAt, 'item' | 'owners'>): SnippetContext {
  const owner = owners.at(-1);
  if (owner === undefined) return 'nothing';
  const isAlone = item.kind === 'Param' || item.kind === 'Receiver' || item.kind === 'Dep';
  if (isAlone || owner.kind === 'Variant' || owner.kind === 'ErrorDecl')
    throw new AppError('PLUTO_EDIT_REFUSED', {
      reason: `to change ${oneOfKind(item)}, replace its ${kindNames[owner.kind]}`,
    });
  const word = kindNames[owner.kind];
  // The remaining owner kinds are exactly the contexts.
  return word as SnippetContext;
}
