import type { MethodDecl } from '../../syntax/ast/decl.ts';
import type { DeclId } from '../../syntax/ast/node.ts';
import type { ErrorSet } from '../report/answers.ts';
import { traitKey } from '../effects/call-site.ts';
import type { State } from '../units/state.ts';
import type { ErrorSymbol } from '../types/type.ts';
import type { ItemIndex } from './items.ts';

/** The errors that an item can raise to its caller; undefined if it cannot be called. */
export function errorSetOf(state: State, items: ItemIndex, id: DeclId): ErrorSet | undefined {
  const found = items.get(id);
  if (found === undefined) return undefined;
  const { item, owners } = found;
  switch (item.kind) {
    case 'FunctionDecl':
    case 'ExternDecl':
    case 'TestDecl':
    case 'RequiredMethod':
      return toSet(state.effects.errorsOfItem(id));
    case 'MethodDecl':
      return owners.at(-1)?.kind === 'TraitDecl'
        ? toSet([...state.effects.errorsOf(traitKey(id)), ...state.effects.errorsOfItem(id)])
        : toSet(state.effects.errorsOfItem(id));
    case 'AppDecl':
    case 'StageDecl': {
      const members: readonly { readonly kind: string }[] = item.members;
      const main = members.find(
        (member): member is MethodDecl => member.kind === 'MethodDecl' && 'name' in member && isMain(member),
      );
      return toSet(main?.id === undefined ? [] : state.effects.errorsOfItem(main.id));
    }
    default:
      return undefined;
  }
}

const isMain = (member: { readonly kind: string }): boolean => (member as MethodDecl).name.text === 'main';

function toSet(errors: Iterable<ErrorSymbol>): ErrorSet {
  const list = Array.from(new Set(errors), ({ id, name }) => ({ id, name })).toSorted((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
  );
  return { errors: list, isFallible: list.length > 0 };
}
