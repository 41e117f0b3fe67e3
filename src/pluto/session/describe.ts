import type { ErrorRef } from '../language/check/report/answers.ts';
import { type Item, nameOfItem, partsOf } from '../language/syntax/parts.ts';
import type { Param } from '../language/syntax/ast/code.ts';
import type { Dep, Field } from '../language/syntax/ast/decl.ts';
import type { ItemAt } from './items.ts';
import type { PlutoSession } from './pluto-session.ts';
import { signatureOf } from './signature.ts';

export interface TypedName {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

/** Facts about a declaration, by the names of `get_declaration`. Only those of its kind are present. */
export interface Description {
  signature?: { params: { name: string; type: string }[]; return_type: string; is_fallible: boolean };
  error_set?: ErrorRef[];
  fields?: TypedName[];
  methods?: { id: string; name: string; signature: string }[];
  variants?: { id: string; name: string; fields: TypedName[] }[];
  impl_traits?: string[];
  bracket_deps?: { name: string; type: string }[];
}

/** Describes a declaration. Every module must have been read. */
export function describe(session: PlutoSession, { item, id, module }: ItemAt): Description {
  const { text } = module.module;
  const typed = (one: Field | Dep | Param): TypedName => ({
    id: one.id ?? '',
    name: one.name.text,
    type: text.slice(one.type.start, one.type.end),
  });
  const errors = session.checker.errorSetOf(id);
  const errorSet = errors === undefined ? {} : { error_set: [...errors.errors] };
  switch (item.kind) {
    case 'FunctionDecl':
    case 'ExternDecl':
    case 'MethodDecl':
    case 'RequiredMethod':
      return {
        signature: {
          params: item.params.map(typed).map(({ name, type }) => ({ name, type })),
          return_type: item.result === undefined ? 'void' : text.slice(item.result.start, item.result.end),
          is_fallible: errors?.isFallible ?? false,
        },
        error_set: [...(errors?.errors ?? [])],
      };
    case 'ClassDecl':
      return {
        fields: item.members.filter(member => member.kind === 'Field').map(typed),
        methods: methodsOf(text, item),
        impl_traits: item.impls.map(name => name.text),
        ...dependencies(item.deps.map(typed)),
      };
    case 'TraitDecl':
      return { methods: methodsOf(text, item) };
    case 'AppDecl':
    case 'StageDecl':
      return { methods: methodsOf(text, item), ...dependencies(item.deps.map(typed)), ...errorSet };
    case 'EnumDecl':
      return {
        variants: item.variants.map(variant => ({
          id: variant.id ?? '',
          name: variant.name.text,
          fields: (variant.fields ?? []).map(typed),
        })),
      };
    case 'Variant':
      return { fields: (item.fields ?? []).map(typed) };
    case 'ErrorDecl':
      return { fields: item.fields.map(typed) };
    case 'TestDecl':
      return errorSet;
    default:
      return {};
  }
}

const dependencies = (deps: readonly TypedName[]): Pick<Description, 'bracket_deps'> =>
  deps.length === 0 ? {} : { bracket_deps: deps.map(({ name, type }) => ({ name, type })) };

const methodsOf = (text: string, owner: Item): NonNullable<Description['methods']> =>
  partsOf(owner)
    .filter(part => part.kind === 'MethodDecl' || part.kind === 'RequiredMethod')
    .map(part => ({ id: part.id ?? '', name: nameOfItem(part), signature: signatureOf(text, part) ?? '' }));

export const isPub = (item: Item): boolean => 'isPub' in item && item.isPub;
