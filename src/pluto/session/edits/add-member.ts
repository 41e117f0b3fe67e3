import { AppError } from '../../../base/errors.ts';
import { insertDependency, insertField, insertMember } from '../../language/edit/edit-items.ts';
import type { TextEdit } from '../../language/edit/text-edit.ts';
import { parseTypeText } from '../../language/syntax/parse.ts';
import { isIdentifier } from '../../language/syntax/token.ts';
import { type Item, kindNames, nameOfItem, oneOfKind, partsOf } from '../../language/syntax/parts.ts';
import { LineMap } from '../../language/syntax/line-map.ts';
import type { PlutoSession } from '../pluto-session.ts';
import { type AddedItem, requireId } from './add-declaration.ts';
import { newItems, changeKeepingSyntax } from './apply-edits.ts';
import { itemIn } from './loaded-module.ts';
import { readPosition } from './position.ts';
import { readSnippet } from './snippet.ts';

/**
 * Adds one method to a class, trait, app or stage.
 * @throws AppError PLUTO_UNKNOWN_ID, PLUTO_SOURCE_INVALID, PLUTO_EDIT_REFUSED
 */
export async function addMethod(
  session: PlutoSession,
  { ownerId, source, position }: { readonly ownerId: string; readonly source: string; readonly position: string },
  signal: AbortSignal,
): Promise<AddedItem> {
  await session.item(ownerId, signal);
  return add(session, 'add_method', ownerId, signal, (owner, module) => {
    if (
      owner.kind !== 'ClassDecl' &&
      owner.kind !== 'TraitDecl' &&
      owner.kind !== 'AppDecl' &&
      owner.kind !== 'StageDecl'
    )
      throw refuse(`a method needs a class, trait, app or stage, not ${oneOfKind(owner)}`);
    const snippet = readSnippet(source, kindNames[owner.kind], 'The method');
    if (snippet.item.kind !== 'MethodDecl' && snippet.item.kind !== 'RequiredMethod')
      throw refuse(`expected a method, found ${oneOfKind(snippet.item)}`);
    const place = readPosition(position, partsOf(owner), nameOfItem(owner));
    return insertMember(module, owner, snippet.text, place, true);
  });
}

/**
 * Adds one field to a class, error or enum variant; `isInjected`: a dependency in the brackets of a class, app or stage.
 * @throws AppError PLUTO_UNKNOWN_ID, INVALID_INPUT, PLUTO_SOURCE_INVALID, PLUTO_EDIT_REFUSED
 */
export async function addField(
  session: PlutoSession,
  field: { readonly ownerId: string; readonly name: string; readonly type: string; readonly isInjected: boolean },
  signal: AbortSignal,
): Promise<AddedItem> {
  const { ownerId, name, isInjected } = field;
  const type = field.type.trim();
  if (!isIdentifier(name)) throw new AppError('INVALID_INPUT', { problems: `name: ${name} is not an identifier` });
  const [problem] = parseTypeText(type).diagnostics;
  if (problem !== undefined || type.includes('\n')) {
    const { line, column } = new LineMap(type).position(problem?.span.start ?? 0);
    const message = problem?.message ?? 'a type must fit on one line';
    const problems = [{ line, column, code: problem?.code ?? 'type-expected', message }];
    throw new AppError('PLUTO_SOURCE_INVALID', { what: 'The type', problems });
  }
  await session.item(ownerId, signal);
  return add(session, 'add_field', ownerId, signal, (owner, module) => {
    if (isInjected) {
      if (owner.kind === 'ClassDecl' || owner.kind === 'AppDecl' || owner.kind === 'StageDecl')
        return insertDependency(module, owner, `${name}: ${type}`);
      throw refuse(`${oneOfKind(owner)} has no dependencies`);
    }
    if (owner.kind === 'ErrorDecl' || owner.kind === 'Variant') return insertField(module, owner, `${name}: ${type}`);
    if (owner.kind !== 'ClassDecl') throw refuse(`${oneOfKind(owner)} has no fields`);
    const fields = owner.members.filter(({ kind }) => kind === 'Field');
    const last = fields.at(-1);
    const [first] = owner.members;
    const place =
      last !== undefined
        ? ({ kind: 'after', item: last } as const)
        : first !== undefined
          ? ({ kind: 'before', item: first } as const)
          : ({ kind: 'end' } as const);
    return insertMember(module, owner, `${name}: ${type}`, place, last === undefined && first !== undefined);
  });
}

const refuse = (reason: string): AppError => new AppError('PLUTO_EDIT_REFUSED', { reason });

async function add(
  session: PlutoSession,
  label: string,
  ownerId: string,
  signal: AbortSignal,
  edit: (owner: Item, module: Parameters<typeof insertMember>[0]) => TextEdit,
): Promise<AddedItem> {
  const planned = await session.transact(label, signal, modules => {
    const { item: owner, module: before } = itemIn(modules, ownerId);
    const edits = [edit(owner, before.module)];
    const after = changeKeepingSyntax({ before, edits, makeId: session.idsFor(before.path) });
    const { item: ownerAfter } = itemIn([after], ownerId);
    const added = newItems(before, after).filter(item => partsOf(ownerAfter).some(part => part === item));
    return { modules: [after], id: requireId(added[0]) };
  });
  return { id: planned.id, modules: planned.modules.map(({ path }) => path) };
}
