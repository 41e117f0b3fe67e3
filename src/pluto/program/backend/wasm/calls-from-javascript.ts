import type { PausableWork } from '../../../../base/time-slice.ts';
import { codeOutsideBodies, directTarget, mayBreakInvariants, visitBody, visitCode } from '../typed/children.ts';
import type { TypedBody, TypedProgram, TypedValue } from '../typed/typed-form.ts';
import type { Callee } from './callee.ts';

/** The functions, methods, invariants and singletons of a program that its JavaScript calls. @param isWasm whether code becomes WebAssembly */
export function* callsFromJavaScript(
  program: TypedProgram,
  isWasm: (of: Callee) => boolean,
): PausableWork<ReadonlySet<Callee>> {
  const { functions, classes, entry, tests } = program;
  const called = new Set<Callee>(tests.map(({ body }) => body));
  const value = (one: TypedValue): void => {
    if (one.kind === 'call') called.add(one.callee);
    if (one.kind === 'singleton') called.add(one.of);
    if (one.kind !== 'call-method') return;
    const target = directTarget(one);
    if (target === undefined) return;
    called.add(target);
    if (mayBreakInvariants(one)) called.add(target.owner);
  };
  const add = (body: TypedBody): void => {
    for (const check of body.checks) if (check.kind === 'contract') called.add(check.contract);
    visitBody(body, { value });
  };
  for (const of of [...functions, ...classes.flatMap(({ methods }) => Array.from(methods.values()))]) {
    if (!isWasm(of)) add(of.body);
    yield;
  }
  visitCode(codeOutsideBodies(program), { value });
  if (entry?.kind === 'function') called.add(entry.function);
  return called;
}
