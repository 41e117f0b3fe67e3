import type { Type } from '../../../language/check/types/type.ts';
import type { ExternCall, TypedExtern } from '../typed/typed-form.ts';
import type { Signature } from './callee.ts';
import type { FunctionCode } from './function-code.ts';
import { isShared, type Kind, type Shared, sharedElement, sharedOf } from './kinds.ts';
import { unsupported } from './unsupported.ts';

/** The types of an extern that WebAssembly code calls; `undefined` for an extern that only JavaScript can call. */
export function externSignature({ params, result }: TypedExtern): Signature | undefined {
  const kinds = params.map(scalarOrText).filter(kind => kind !== undefined);
  const returned = result.kind === 'list' ? listOf(result.element) : scalarOrText(result);
  if (kinds.length < params.length || (returned === undefined && result.kind !== 'void')) return undefined;
  return { self: undefined, params: kinds, result: returned };
}

/** No extern takes or gives a `byte`. */
function scalarOrText(type: Type): Exclude<Shared, 'byte'> | undefined {
  const shared = sharedOf(type);
  return shared === 'byte' ? undefined : shared;
}

function listOf(type: Type): Kind | undefined {
  const element = scalarOrText(type);
  return element && `[${element}]`;
}

/** Emits a call of an extern. @returns the kind of its result; `undefined` if there is none */
export function callExtern(body: FunctionCode, { callee, args }: ExternCall): Kind | undefined {
  const { params, result } = externSignature(callee) ?? unsupported();
  for (const [index, arg] of args.entries()) body.as(arg, params[index] ?? unsupported());
  body.code.at('call', body.context.externIndex(callee));
  if (result === undefined || isShared(result)) return result;
  body.context.sharesLists(sharedElement(result) ?? unsupported());
  return body.kindOfType(callee.result);
}
