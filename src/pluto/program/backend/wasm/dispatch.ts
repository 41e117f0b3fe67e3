import type { TypedMethod } from '../typed/typed-form.ts';
import type { Dispatch, Signature } from './callee.ts';
import { FunctionCode, type FunctionContext } from './function-code.ts';
import { ANY_OBJECT, codeOf, indexOfKind, isObject, type ObjectKind, objectType, TAG } from './kinds.ts';
import { unsupported } from './unsupported.ts';

interface Target {
  readonly method: TypedMethod;
  readonly kind: ObjectKind;
}

/** Emits the function that calls the method of the class of an object: a binary search for the number of the class. */
export function dispatchFunction(context: FunctionContext, of: Dispatch, { params, result }: Signature): FunctionCode {
  const targets = of.map((method): Target => {
    const kind = context.kindOf(method.owner.type ?? unsupported());
    return kind !== undefined && isObject(kind) ? { method, kind } : unsupported();
  });
  const body = new FunctionCode(context, () => unsupported(), result);
  const self = body.argument();
  const args = params.map(() => body.argument());
  const { code } = body;
  // Its calls have no places.
  code.mark('');
  const number = body.local('bool');
  code.at('local.get', self).gc('struct.get', objectType(ANY_OBJECT), TAG).at('local.set', number);
  const call = ({ method, kind }: Target): void => {
    const receiver = (): void => void code.at('local.get', self).cast(objectType(kind));
    receiver();
    for (const arg of args) code.at('local.get', arg);
    body.callFunction(method);
    if (!method.isMut || method.owner.invariants.length === 0) return;
    receiver();
    body.callFunction(method.owner);
  };
  const choose = (from: number, to: number): void => {
    const middle = (from + to) >> 1;
    const [first, last] = [targets[from] ?? unsupported(), targets[middle] ?? unsupported()];
    if (to - from === 1) return call(first);
    code.at('local.get', number).i32(indexOfKind(last.kind)).op('i32.ge_u');
    code.open('if', result === undefined ? undefined : codeOf(result));
    choose(middle, to);
    code.op('else');
    choose(from, middle);
    code.op('end');
  };
  targets.sort((a, b) => indexOfKind(a.kind) - indexOfKind(b.kind));
  choose(0, targets.length);
  return body;
}
