import type {
  CatchValue,
  IfStmt,
  IfValue,
  MatchPattern,
  MatchStmt,
  MatchValue,
  NoneExit,
  TypedBlock,
  TypedError,
  TypedStmt,
  TypedValue,
} from '../typed/typed-form.ts';
import type { BodyEmitter } from './body.ts';
import { callOf, isCall } from './calls.ts';

/** Variable that receives the value of a block; undefined if the value is unused. */
type Target = string | undefined;

function store(body: BodyEmitter, target: Target, code: string): void {
  if (target !== undefined) body.emit(`${target} = ${code};`);
  else if (!/^\$t\d+$/.test(code)) body.emit(`${code};`);
}

/** Emits a block and assigns the value of its last statement to the target. */
function blockInto(body: BodyEmitter, stmts: TypedBlock, target: Target): void {
  body.block(stmts.slice(0, -1));
  const last = stmts.at(-1);
  if (last !== undefined) lastInto(body, last, target);
}

function lastInto(body: BodyEmitter, last: TypedStmt, target: Target): void {
  if (last.kind === 'value') body.at(last.place, () => store(body, target, body.code(last.value)));
  else if (last.kind === 'if' && last.otherwise !== undefined) body.at(last.place, () => ifInto(body, last, target));
  else body.stmt(last);
}

export function ifInto(
  body: BodyEmitter,
  { condition, body: inside, otherwise }: IfValue | IfStmt,
  target: Target,
): void {
  body.emit(`if (${body.code(condition)}) {`);
  blockInto(body, inside, target);
  elseInto(body, otherwise, target);
  body.emit('}');
}

/** Emits what follows a branch, without its closing brace. A condition that needs statements becomes a nested `if`. */
function elseInto(body: BodyEmitter, otherwise: TypedBlock | IfValue | IfStmt | undefined, target: Target): void {
  if (otherwise === undefined) return;
  if (!('kind' in otherwise)) {
    body.emit('} else {');
    return blockInto(body, otherwise, target);
  }
  let condition = '';
  const lines = body.captured(() => {
    condition = body.code(otherwise.condition);
  });
  if (lines.length === 0) {
    body.emit(`} else if (${condition}) {`);
    blockInto(body, otherwise.body, target);
    return elseInto(body, otherwise.otherwise, target);
  }
  body.emit('} else {', lines, `if (${condition}) {`);
  blockInto(body, otherwise.body, target);
  elseInto(body, otherwise.otherwise, target);
  body.emit('}');
}

export function ifCode(body: BodyEmitter, value: IfValue): string {
  const short = shortIf(body, value);
  if (short !== undefined) return short;
  const result = body.variable();
  ifInto(body, value, result);
  return result;
}

/** `a ? b : c`, if no part needs a statement. */
function shortIf(body: BodyEmitter, { condition, body: inside, otherwise }: IfValue): string | undefined {
  if ('kind' in otherwise) return undefined;
  const [first, second] = [onlyValue(inside), onlyValue(otherwise)];
  if (first === undefined || second === undefined) return undefined;
  return `(${body.code(condition)} ? ${body.code(first)} : ${body.code(second)})`;
}

const PLAIN = new Set(['int', 'float', 'bool', 'string', 'none', 'variable']);

function onlyValue([only, ...others]: TypedBlock): TypedValue | undefined {
  return only?.kind === 'value' && others.length === 0 && PLAIN.has(only.value.kind) ? only.value : undefined;
}

/** Emits the arms as an `if` chain over the tag, so that `break` in an arm leaves the enclosing loop. */
function matchInto<A extends MatchPattern>(
  body: BodyEmitter,
  subject: TypedValue,
  arms: readonly A[],
  inside: (arm: A) => void,
): void {
  const value = body.temp(body.code(subject));
  for (const [index, arm] of arms.entries()) {
    const isLast = index === arms.length - 1;
    const test = isLast && index > 0 ? '' : `if (${value}.tag === ${arm.tag}) `;
    body.emit(`${index === 0 ? '' : '} else '}${test}{`);
    for (const { variable, index: field } of arm.bindings)
      body.emit(`let ${body.name(variable)} = ${value}.fields[${field}];`);
    inside(arm);
  }
  if (arms.length > 0) body.emit('}');
}

export function matchCode(body: BodyEmitter, { subject, arms }: MatchValue): string {
  const result = body.variable();
  matchInto(body, subject, arms, ({ value, place }) => body.at(place, () => store(body, result, body.code(value))));
  return result;
}

export const emitMatch = (body: BodyEmitter, { subject, arms }: MatchStmt): void =>
  matchInto(body, subject, arms, arm => body.block(arm.body));

/** Emits `x?`: returns `none` from the function if the value is `none`. */
export function noneExitCode(body: BodyEmitter, { operand }: NoneExit): string {
  const value = body.temp(body.code(operand));
  body.emit(`if (${value} === null) return null;`);
  return value;
}

export function catchCode(body: BodyEmitter, { operand, handlers }: CatchValue): string {
  const result = body.variable();
  const { code, after } = isCall(operand)
    ? callOf(body, operand, true)
    : { code: body.code(operand), after: undefined };
  const thrown = `$e${result.slice(2)}`;
  body.emit('try {', `${result} = ${code};`);
  if (after !== undefined) body.emit(after);
  const target = operand.type.kind === 'void' ? undefined : result;
  body.emit(`} catch (${thrown}) {`);
  handle(body, handlers, body.temp(`$rt.caught(${thrown})`), thrown, target);
  body.emit('}');
  return result;
}

function handle(
  body: BodyEmitter,
  handlers: CatchValue['handlers'],
  error: string,
  thrown: string,
  target: Target,
): void {
  for (const [index, handler] of handlers.entries()) {
    const isTyped = handler.error !== undefined;
    const test = isTyped ? `if (${isOfType(body, handler.error, error)}) ` : '';
    body.emit(`${index === 0 ? '' : '} else '}${test}{`);
    if (handler.variable !== undefined) body.emit(`let ${body.name(handler.variable)} = ${error};`);
    blockInto(body, handler.body, target);
    // It takes every error.
    if (!isTyped) return body.emit('}');
  }
  body.emit(`} else throw ${thrown};`);
}

/** Tests the type of an error. A runtime error matches the program's error of the same name. */
function isOfType(body: BodyEmitter, of: TypedError, error: string): string {
  const type = body.program.error(of);
  return of.isRaisedByRuntime
    ? `(${error}.type === ${type} || ${error}.type === $rt.errors.${of.name})`
    : `${error}.type === ${type}`;
}
