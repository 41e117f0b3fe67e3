import { POWER, type Signature } from './callee.ts';
import { type Calls, FunctionCode, type FunctionContext } from './function-code.ts';
import { unsupported } from './unsupported.ts';

export const powerSignature: Signature = { self: undefined, params: ['int', 'int'], result: 'int' };

/** Emits a call for the base and the exponent on the stack, which raises an error for a negative exponent. */
export function power({ context }: FunctionCode, calls: Calls): void {
  context.raisesErrors();
  calls.call(POWER);
}

/** Emits the function that computes a power of an int by squaring. */
export function powerFunction(context: FunctionContext): FunctionCode {
  const body = new FunctionCode(context, () => unsupported(), 'int');
  const { code } = body;
  // Its calls have no places.
  code.mark('');
  const [factor, rest, result] = [body.argument(), body.argument(), body.local('int')];
  code.at('local.get', rest).i64(0n).op('i64.lt_s').open('if');
  body.call('raise_negative_exponent');
  code.op('unreachable', 'end').i64(1n).at('local.set', result).open('block').open('loop');
  code.at('local.get', rest).op('i64.eqz').at('br_if', 1);
  code.at('local.get', rest).i64(1n).op('i64.and', 'i64.eqz', 'i32.eqz').open('if');
  code.at('local.get', result).at('local.get', factor).op('i64.mul').at('local.set', result).op('end');
  code.at('local.get', factor).at('local.get', factor).op('i64.mul').at('local.set', factor);
  code.at('local.get', rest).i64(1n).op('i64.shr_u').at('local.set', rest).at('br', 0).op('end', 'end');
  code.at('local.get', result);
  return body;
}
