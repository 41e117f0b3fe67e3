import type { Captured, ClosureValue, SpawnValue, Variable } from '../typed/typed-form.ts';
import type { BodyEmitter } from './body.ts';
import { closureKey } from '../typed/call-graph.ts';
import { constantOf } from './int-code.ts';
import { copyName, localName } from './js-names.ts';

/** Emits a closure. Captured values are copied when it is created, and again in each call that assigns to them. */
export function closureCode(body: BodyEmitter, closure: ClosureValue): string {
  const key = closureKey(closure.params.length);
  const params = closure.params.map(({ name }) => localName(name));
  const captured = namesOf(closure.captured);
  const copied = new Set(Array.from(closure.assigned, ({ name }) => localName(name)));
  const lines = body.inFrame(key, () => {
    for (const name of captured) if (copied.has(name)) body.emit(`let ${name} = ${copyName(name)};`);
    body.block(closure.body);
  });
  const head = body.isBlocking(key) ? `function* (${params.join(', ')})` : `(${params.join(', ')}) =>`;
  const made = `${head} {\n${lines.join('\n')}\n}`;
  if (captured.length === 0) return `(${made})`;
  const outer = captured.map(name => (copied.has(name) ? copyName(name) : name)).join(', ');
  if (body.program.typed.hasTasks) return `$rt.closure((${outer}) => (${made}), [${captured.join(', ')}])`;
  // Without tasks, nothing copies the function, and a variable that never changes needs no copy.
  return closure.captured.variables.some(({ isAssigned }) => isAssigned)
    ? `((${outer}) => (${made}))(${captured.join(', ')})`
    : `(${made})`;
}

/** Emits `spawn`: the call runs in a new task on copies of the captured values. */
export function spawnCode(body: BodyEmitter, spawn: SpawnValue): string {
  const captured = namesOf(spawn.captured).join(', ');
  const lines = body.inFrame(spawn, () => body.emit(`return ${body.code(spawn.call)};`));
  const isBlocking = body.isBlocking(spawn);
  const head = isBlocking ? `function* (${captured})` : `(${captured}) =>`;
  return `$rt.spawn([${captured}], ${head} {\n${lines.join('\n')}\n}, ${isBlocking})`;
}

/** JavaScript names of the captured variables, `self` included. Constants are part of the code. */
function namesOf({ variables, hasSelf }: Captured): readonly string[] {
  const isNamed = (variable: Variable): boolean => constantOf(variable) === undefined;
  const names = variables.filter(isNamed).map(({ name }) => localName(name));
  return hasSelf ? ['self', ...names] : names;
}
