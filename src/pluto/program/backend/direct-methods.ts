import type { CheckedProgram } from '../../language/check/checked-program.ts';
import type { Callable, ClassSymbol, DeclSymbol, TraitSymbol, Type } from '../../language/check/types/type.ts';

/** A method of a class: its own, or the default method of one of its traits. */
export interface ClassMethod {
  readonly symbol: ClassSymbol;
  readonly callable: Callable;
}

/**
 * The only method that a call can run: the class of the receiver is known, or no other class has the trait.
 *
 * @param owner the declaration with the call; its type parameters have bounds
 */
export function directMethod(
  checked: CheckedProgram,
  owner: DeclSymbol,
  type: Type,
  name: string,
): ClassMethod | undefined {
  if (type.kind === 'class') return methodOf(checked, type.symbol, name);
  const trait = traitOf(checked, owner, type, name);
  const [only, ...others] = trait === undefined ? [] : checked.extras.implementersOf(trait);
  return only === undefined || others.length > 0 ? undefined : methodOf(checked, only, name);
}

/** The trait that promises a method of a value: the type of the value, or a bound of its type parameter. */
export function traitOf(
  { signatures }: CheckedProgram,
  owner: DeclSymbol,
  type: Type,
  name: string,
): TraitSymbol | undefined {
  if (type.kind === 'trait') return type.symbol;
  if (type.kind !== 'param' || (owner.kind !== 'FunctionDecl' && owner.kind !== 'ClassDecl')) return undefined;
  const { typeParams } = owner.kind === 'FunctionDecl' ? signatures.callable(owner) : signatures.class(owner);
  const bounds = typeParams.find(param => param.type === type)?.bounds ?? [];
  return bounds.find(trait => signatures.trait(trait).methods.has(name));
}

function methodOf({ signatures }: CheckedProgram, symbol: ClassSymbol, name: string): ClassMethod | undefined {
  const { methods, impls } = signatures.class(symbol);
  const promised = impls.map(trait => signatures.trait(trait).methods.get(name));
  const callable = methods.get(name) ?? promised.find(one => one?.hasBody === true && one.receiver !== 'static');
  return callable && { symbol, callable };
}
