import type { ClassSymbol, EnumSymbol } from '../../../language/check/types/type.ts';

export const hasInvariants = ({ decl }: ClassSymbol): boolean => decl.members.some(({ kind }) => kind === 'Invariant');

/** The fields of a variant, in source order. */
export const variantFields = ({ decl }: EnumSymbol, variant: string): readonly string[] =>
  decl.variants.find(({ name }) => name.text === variant)?.fields?.map(({ name }) => name.text) ?? [];
