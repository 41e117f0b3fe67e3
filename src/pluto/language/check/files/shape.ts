import type { Signatures } from '../program/signatures.ts';
import { typeParts } from '../types/parts.ts';
import { isSame } from '../types/relate.ts';
import type { FieldSignature, Type } from '../types/type.ts';

type Fields = ReadonlyMap<string, FieldSignature>;

/** Compares types of two programs. Their classes and enums are equal if they have the same name and the same fields. */
export class ShapeComparison {
  readonly #signatures: Pick<Signatures, 'class' | 'enum'>;
  /** Pairs that are being compared; a type may contain itself. */
  readonly #assumed = new Set<string>();

  constructor(signatures: Pick<Signatures, 'class' | 'enum'>) {
    this.#signatures = signatures;
  }

  isSame(a: Type, b: Type): boolean {
    if (isSame(a, b)) return true;
    if (a.kind !== b.kind || !this.#isSameDeclaration(a, b)) return false;
    const [parts, others] = [typeParts(a), typeParts(b)];
    return parts.length === others.length && parts.every((part, index) => this.isSame(part, others[index] ?? part));
  }

  #isSameDeclaration(a: Type, b: Type): boolean {
    const pair = `${a.id} ${b.id}`;
    if (this.#assumed.has(pair)) return true;
    this.#assumed.add(pair);
    if (a.kind === 'class' && b.kind === 'class')
      return (
        a.symbol.name === b.symbol.name &&
        this.#areSameFields(this.#signatures.class(a.symbol).fields, this.#signatures.class(b.symbol).fields)
      );
    if (a.kind === 'enum' && b.kind === 'enum') {
      const [variants, others] = [a, b].map(({ symbol }) =>
        Array.from(this.#signatures.enum(symbol).variants.values()),
      );
      return (
        a.symbol.name === b.symbol.name &&
        variants?.length === others?.length &&
        variants?.every(({ name, fields }, index) => {
          const other = others?.[index];
          return other?.name === name && this.#areSameFields(fields, other.fields);
        }) === true
      );
    }
    return !('symbol' in a);
  }

  #areSameFields(a: Fields, b: Fields): boolean {
    const others = Array.from(b.values());
    return (
      a.size === b.size &&
      Array.from(a.values()).every(({ name, type }, index) => {
        const other = others[index];
        return other?.name === name && this.isSame(type, other.type);
      })
    );
  }
}
