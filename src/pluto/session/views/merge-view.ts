import { endOfLine, isBlank, withComments } from '../../language/edit/extent.ts';
import { insertDeclaration, type NewItemPosition, removeItem, replaceItem } from '../../language/edit/edit-items.ts';
import { lineEndOf, type TextEdit } from '../../language/edit/text-edit.ts';
import type { MakeId } from '../../language/identity/ids.ts';
import type { LoadedModule } from '../../language/modules/load-module.ts';
import type { ViewChange, ViewComparison } from '../../language/pt/compare-view.ts';
import type { ParsedModule } from '../../language/syntax/ast/decl.ts';
import type { DeclId } from '../../language/syntax/ast/node.ts';
import { type Item, partsOf } from '../../language/syntax/parts.ts';
import { changedModule } from '../changed-module.ts';
import { declarationsOf } from '../edits/snippet.ts';
import { idsWithin } from '../edits/apply-edits.ts';

/** Applies some changes of a view to its module, declaration by declaration. */
export function mergeView(
  before: LoadedModule,
  { module: view }: ViewComparison,
  taken: readonly ViewChange[],
  makeId: MakeId,
): LoadedModule {
  let merged = before;
  const inView = declarationsOf(view);
  for (const change of taken) {
    const here = declarationsOf(merged.module);
    const old = here.find(({ id }) => id === change.id);
    const fresh = inView.find(({ id }) => id === change.id);
    if (change.change === 'deleted') {
      if (old !== undefined)
        merged = changedModule({
          before: merged,
          edits: [removeItem(merged.module, old)],
          replaced: idsWithin(old),
          makeId,
        });
      continue;
    }
    if (fresh === undefined) continue;
    const from = withComments(view)(fresh);
    const source = view.text.slice(from.start, from.end);
    const edit =
      old === undefined
        ? insertDeclaration(merged.module, source, placeOf(fresh, inView, here))
        : replaceWhole(merged.module, old, source);
    merged = put(
      merged,
      edit,
      fresh,
      { source, start: from.start },
      old === undefined ? new Set() : idsWithin(old),
      makeId,
    );
  }
  return merged;
}

/** Replaces an item with its comments. Code behind it on its line stays code, even if the source ends with a comment. */
function replaceWhole(module: ParsedModule, old: Item, source: string): TextEdit {
  const { text } = module;
  const edit = replaceItem(module, withComments(module)(old), source);
  const { end } = edit.span;
  return isBlank(text.slice(end, endOfLine(text, end))) ? edit : { ...edit, text: edit.text + lineEndOf(text) };
}

/** Applies the edit and assigns the ids of the view to the new item and its parts. */
function put(
  before: LoadedModule,
  edit: TextEdit,
  fresh: Item,
  { source, start: from }: { readonly source: string; readonly start: number },
  replaced: ReadonlySet<DeclId>,
  makeId: MakeId,
): LoadedModule {
  // Declarations are not indented on either side, so their text is the same.
  const start = edit.span.start + edit.text.indexOf(source);
  const knownIds: [number, DeclId][] = [];
  const collect = (item: Item): void => {
    if (item.id !== undefined) knownIds.push([start + item.start - from, item.id]);
    for (const part of partsOf(item)) collect(part);
  };
  collect(fresh);
  return changedModule({ before, edits: [edit], replaced, knownIds: () => knownIds, makeId });
}

/** Behind the nearest predecessor that both sides have, or before the first declaration. */
function placeOf(fresh: Item, inView: readonly Item[], here: readonly Item[]): NewItemPosition {
  const above = inView.slice(0, inView.indexOf(fresh)).toReversed();
  for (const { id } of above) {
    const item = here.find(one => one.id === id);
    if (item !== undefined) return { kind: 'after', item };
  }
  const [first] = here.filter(({ kind }) => kind !== 'ImportDecl');
  return first === undefined ? { kind: 'end' } : { kind: 'before', item: first };
}
