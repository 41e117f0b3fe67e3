import { AppError } from '../../../base/errors.ts';
import { removeItem } from '../../language/edit/edit-items.ts';
import type { TextEdit } from '../../language/edit/text-edit.ts';
import type { Use } from '../../language/refs/use.ts';
import type { Span } from '../../language/syntax/ast/span.ts';
import type { ParsedModule } from '../../language/syntax/ast/decl.ts';
import { type Item, kindNames, nameOfItem } from '../../language/syntax/parts.ts';
import { changedModule } from '../changed-module.ts';
import { itemWithId } from '../items.ts';
import type { PlutoSession } from '../pluto-session.ts';
import { type Site, siteOf, usesFromOutside } from '../sites.ts';
import { idsWithin, addsNoSyntaxErrors } from './apply-edits.ts';
import { itemIn, loadedModule } from './loaded-module.ts';

export interface DeletedItem {
  readonly name: string;
  /** Its text, without the comments above it. */
  readonly source: string;
  /** Remaining references to it or its parts. */
  readonly dangling: readonly Site[];
  readonly modules: readonly string[];
}

/**
 * Removes a declaration or a member with its comments. References to it are not changed.
 * @throws AppError PLUTO_UNKNOWN_ID, PLUTO_EDIT_REFUSED
 */
export async function deleteDeclaration(session: PlutoSession, id: string, signal: AbortSignal): Promise<DeletedItem> {
  await session.item(id, signal);
  return session
    .transact('delete_declaration', signal, modules => {
      const at = itemIn(modules, id);
      const { item, module: before } = at;
      const { kind } = item;
      if (kind === 'Param' || kind === 'Receiver')
        throw new AppError('PLUTO_EDIT_REFUSED', {
          reason: `to remove a ${kindNames[kind]}, replace its function`,
        });
      const uses = usesFromOutside(session, at);
      const replaced = idsWithin(item);
      for (const edit of removals(before.module, item)) {
        const after = changedModule({ before, edits: [edit], replaced, makeId: session.idsFor(before.path) });
        // The removal must not take other code with it.
        const isRemoved = Array.from(replaced).every(one => itemWithId([after], one) === undefined);
        if (!isRemoved || !addsNoSyntaxErrors(before, after)) continue;
        const source = before.module.text.slice(item.start, item.end);
        const dangling = uses.map(({ file, use }) =>
          file === before.path ? siteOf(after, shifted(use, edit)) : siteOf(loadedModule(modules, file), use),
        );
        return { modules: [after], name: nameOfItem(item), source, dangling };
      }
      throw new AppError('PLUTO_EDIT_REFUSED', {
        reason: `${nameOfItem(item)} cannot be removed without breaking the code around it`,
      });
    })
    .then(({ modules, ...rest }) => ({ ...rest, modules: modules.map(({ path }) => path) }));
}

/** The position of a use after an edit elsewhere. */
function shifted(use: Use, { span, text }: TextEdit): Use {
  const by = use.name.start < span.end ? 0 : text.length - (span.end - span.start);
  const move = ({ start, end }: Span): Span => ({ start: start + by, end: end + by });
  return { ...use, name: move(use.name), site: move(use.site) };
}

/** Candidate edits that remove an item: with its lines, or with one of the commas around it. */
function removals(module: ParsedModule, item: Item): readonly TextEdit[] {
  const { text } = module;
  const behind = /^[ \t]*,[ \t]*/.exec(text.slice(item.end))?.[0].length ?? 0;
  const above = /,\s*$/.exec(text.slice(0, item.start))?.[0].length ?? 0;
  const cut = (start: number, end: number): TextEdit => ({ span: { start, end }, text: '' });
  return [
    removeItem(module, item),
    ...(behind > 0 ? [cut(item.start, item.end + behind)] : []),
    ...(above > 0 ? [cut(item.start - above, item.end)] : []),
    ...(item.kind === 'Dep' ? [cut(item.start - 1, item.end + 1)] : []),
  ];
}
