import { type Substitution, substitution } from '../types/substitute.ts';
import type { AppSignature, AppSymbol, Callable, ClassType, FieldSignature, StageSymbol } from '../types/type.ts';
import type { Signatures } from '../program/signatures.ts';

/** The type arguments of a class type, by type parameter. */
export const classSubstitution = (signatures: Signatures, { symbol, args }: ClassType): Substitution | undefined =>
  args.length === 0
    ? undefined
    : substitution(
        signatures.class(symbol).typeParams.map(({ type }) => type),
        args,
      );

/** The signatures of a stage and its parents, nearest first. A cycle ends before it repeats. */
export function stageChain(signatures: Signatures, symbol: AppSymbol | StageSymbol): readonly AppSignature[] {
  const chain: AppSignature[] = [];
  const seen = new Set<AppSymbol | StageSymbol>();
  let at: AppSymbol | StageSymbol | undefined = symbol;
  while (at !== undefined && !seen.has(at)) {
    seen.add(at);
    const signature: AppSignature = signatures.app(at);
    chain.push(signature);
    at = signature.parent;
  }
  return chain;
}

export function appField(
  signatures: Signatures,
  symbol: AppSymbol | StageSymbol,
  name: string,
): FieldSignature | undefined {
  for (const { fields } of stageChain(signatures, symbol)) {
    const field = fields.get(name);
    if (field !== undefined) return field;
  }
  return undefined;
}

export function appMethod(signatures: Signatures, symbol: AppSymbol | StageSymbol, name: string): Callable | undefined {
  let found: Callable | undefined;
  for (const { methods } of stageChain(signatures, symbol)) {
    const method = methods.get(name);
    // A method with a body takes precedence over a required method.
    if (method !== undefined && (found === undefined || (!found.hasBody && method.hasBody))) found = method;
  }
  return found;
}
