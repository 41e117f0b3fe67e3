import { codeOutsideBodies, visitBody, visitCode } from '../typed/children.ts';
import type { ClosureCall, ClosureValue, TypedClass, TypedProgram, TypedValue } from '../typed/typed-form.ts';
import type { FnType, Type } from '../../../language/check/types/type.ts';
import type { ClosureCode, FunctionValues, Signature } from './callee.ts';
import { type Calls, FunctionCode, type FunctionContext } from './function-code.ts';
import { codeOf, isObject, isPartOf, type Kind, type ObjectKind, objectType, TAG } from './kinds.ts';
import { callArgs } from './objects.ts';
import { unsupported } from './unsupported.ts';

/** The function values of a program, by their types. */
export function functionValuesOf(program: TypedProgram): readonly FunctionValues[] {
  const byType = new Map<FnType, ClosureCode[]>();
  const visitorIn = (self: TypedClass | undefined) => ({
    value(value: TypedValue): void {
      if (value.kind !== 'closure' || value.type.kind !== 'fn') return;
      const closures = byType.get(value.type) ?? [];
      byType.set(value.type, closures);
      closures.push({ closure: value, self });
    },
  });
  for (const { body } of program.functions) visitBody(body, visitorIn(undefined));
  for (const one of program.classes) for (const { body } of one.methods.values()) visitBody(body, visitorIn(one));
  visitCode(codeOutsideBodies(program), visitorIn(undefined));
  return Array.from(byType, ([type, closures]) => ({ type, closures }));
}

/** The types of what a closure captured, the object of its method first; `undefined` if the object has no type. */
export function capturedTypes({ closure: { captured }, self }: ClosureCode): readonly Type[] | undefined {
  const types = captured.variables.map(({ type }) => type);
  if (!captured.hasSelf) return types;
  return self?.type && [self.type, ...types];
}

/** The types of the parameters and the result of function values. */
export const typesOfCalls = ({ params, result }: FnType): readonly Type[] =>
  result.kind === 'void' ? params : [...params, result];

/** Emits a new function value: the number of its closure, and what it captured. */
export function newClosure(body: FunctionCode, value: ClosureValue): ObjectKind {
  const { code } = body;
  const kind = body.kindOfType(value.type);
  if (!isObject(kind)) return unsupported();
  const functions = body.context.functionsOf(kind) ?? unsupported();
  const number = functions.numberOf(value) ?? unsupported();
  const { type, fields } = functions.layouts[number] ?? unsupported();
  const { variables, hasSelf } = value.captured;
  code.i32(number);
  const all = [...(hasSelf ? [body.self] : []), ...variables.map(variable => body.variable(variable))];
  for (const [index, { kind: own, index: local }] of all.entries()) {
    if (!isPartOf(own, fields[index] ?? unsupported())) return unsupported();
    code.at('local.get', local);
  }
  code.gc('struct.new', type);
  return kind;
}

/** Emits a call of a function value. @returns the kind of its result; `undefined` if there is none */
export function callClosure(
  body: FunctionCode,
  { variable, args }: ClosureCall,
  calls: Calls = body.calls,
): Kind | undefined {
  const { code } = body;
  const { index, kind } = body.variable(variable);
  const { of } = (isObject(kind) ? body.context.functionsOf(kind) : undefined) ?? unsupported();
  code.at('local.get', index);
  callArgs(
    body,
    of.type.params.map(type => ({ type })),
    args,
  );
  calls.call(of);
  return of.type.result.kind === 'void' ? undefined : body.kindOfType(of.type.result);
}

/** Emits the function that calls the closure of a function value: a binary search for its number. */
export function closureCalls(
  context: FunctionContext,
  of: FunctionValues,
  { params, result }: Signature,
): FunctionCode {
  const [kind = unsupported()] = params;
  const { layouts } = (isObject(kind) ? context.functionsOf(kind) : undefined) ?? unsupported();
  const body = new FunctionCode(context, () => unsupported(), result);
  const [self = unsupported(), ...args] = params.map(() => body.argument());
  const { code } = body;
  // Its calls have no places.
  code.mark('');
  const call = (number: number): void => {
    const { type, fields } = layouts[number] ?? unsupported();
    for (const index of fields.keys())
      code
        .at('local.get', self)
        .cast(type)
        .gc('struct.get', type, index + 1);
    for (const arg of args) code.at('local.get', arg);
    body.callFunction(of.closures[number] ?? unsupported());
  };
  const choose = (from: number, to: number): void => {
    if (to - from === 1) return call(from);
    const middle = (from + to) >> 1;
    code.at('local.get', self).gc('struct.get', objectType(isObject(kind) ? kind : unsupported()), TAG);
    code
      .i32(middle)
      .op('i32.ge_u')
      .open('if', result === undefined ? undefined : codeOf(result));
    choose(middle, to);
    code.op('else');
    choose(from, middle);
    code.op('end');
  };
  choose(0, layouts.length);
  return body;
}
