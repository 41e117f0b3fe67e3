import { codeOutsideBodies, visitBody, visitCode } from '../typed/children.ts';
import type { TypedBody, TypedFunction, TypedProgram, TypedValue } from '../typed/typed-form.ts';

/** The functions of a program that its JavaScript calls. @param isWasm whether a function becomes WebAssembly */
export function callsFromJavaScript(
  program: TypedProgram,
  isWasm: (of: TypedFunction) => boolean,
): ReadonlySet<TypedFunction> {
  const { functions, classes, entry, tests } = program;
  const called = new Set<TypedFunction>(tests.map(({ body }) => body));
  const value = (one: TypedValue): void => {
    if (one.kind === 'call') called.add(one.callee);
  };
  const add = (body: TypedBody): void => {
    for (const check of body.checks) if (check.kind === 'contract') called.add(check.contract);
    visitBody(body, { value });
  };
  for (const of of functions) if (!isWasm(of)) add(of.body);
  for (const { methods } of classes) for (const method of methods.values()) add(method.body);
  visitCode(codeOutsideBodies(program), { value });
  if (entry?.kind === 'function') called.add(entry.function);
  return called;
}
