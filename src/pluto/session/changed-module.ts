import { withoutDerived } from '../language/container/byte-sections.ts';
import { carryIds } from '../language/identity/carry-ids.ts';
import type { MakeId } from '../language/identity/ids.ts';
import type { LoadedModule } from '../language/modules/load-module.ts';
import type { ParsedModule } from '../language/syntax/ast/decl.ts';
import type { DeclId } from '../language/syntax/ast/node.ts';
import { parseModule } from '../language/syntax/parse.ts';
import { eachItem } from '../language/syntax/parts.ts';
import { applyEdits, type TextEdit } from '../language/edit/text-edit.ts';

export interface ChangeRequest {
  readonly before: LoadedModule;
  readonly edits: readonly TextEdit[];
  /** Items whose text is replaced or removed. Their ids are not carried over by position. */
  readonly replaced?: ReadonlySet<DeclId>;
  /** Ids that the edit assigns, by the start of the item in the new text. */
  readonly knownIds?: (after: ParsedModule) => Iterable<readonly [number, DeclId]>;
  readonly makeId: MakeId;
}

/** The module after edits of its text. Every item that they do not replace keeps its id, even if another item has the same name. */
export function changedModule({ before, edits, replaced, knownIds, makeId }: ChangeRequest): LoadedModule {
  const text = applyEdits(before.module.text, edits);
  if (text === before.module.text) return before;
  const after = parseModule(text);
  const ids = idsByNewStart(before.module, edits, replaced ?? new Set());
  for (const [start, id] of knownIds?.(after) ?? []) ids.set(start, id);
  carryIds({ before: before.module, after, makeId, assignedIds: ids });
  return withModule(before, after);
}

/** The same module with another text. */
export function withModule(before: LoadedModule, module: ParsedModule): LoadedModule {
  const { container } = before;
  return {
    ...before,
    module,
    container: container && { ...container, optional: withoutDerived(container.optional) },
  };
}

/** The ids of items by their start in the edited text. */
function idsByNewStart(
  { tree }: ParsedModule,
  edits: readonly TextEdit[],
  replaced: ReadonlySet<DeclId>,
): Map<number, DeclId> {
  const sorted = edits.toSorted((a, b) => a.span.start - b.span.start);
  const ids = new Map<number, DeclId>();
  let next = 0;
  let shift = 0;
  // Items come in the order of their starts.
  eachItem(tree.items, ({ id, start }) => {
    for (let edit = sorted[next]; edit !== undefined && edit.span.end <= start; edit = sorted[next]) {
      shift += edit.text.length - (edit.span.end - edit.span.start);
      next += 1;
    }
    if (id !== undefined && !replaced.has(id)) ids.set(start + shift, id);
  });
  return ids;
}
