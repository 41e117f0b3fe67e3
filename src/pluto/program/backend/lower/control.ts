import type {
  Block,
  CatchExpr,
  IfExpr,
  IfStmt,
  MatchExpr,
  MatchStmt,
  NullPropagateExpr,
  Pattern,
  Stmt,
} from '../../../language/syntax/ast/code.ts';
import { withoutParens } from '../../../language/syntax/ast/code.ts';
import type { BodyLowering } from './body.ts';
import { callOf, isCall } from './calls.ts';
import { asWide } from './int-code.ts';
import { localName } from '../js-names.ts';
import { variantNamed } from './literals.ts';

/** Variable that receives the value of a block; undefined if the value is unused. */
type Target = string | undefined;

function store(body: BodyLowering, target: Target, code: string): void {
  if (target !== undefined) body.emit(`${target} = ${code};`);
  else if (!/^\$t\d+$/.test(code)) body.emit(`${code};`);
}

/** Lowers a block and assigns its last expression to the target. */
function blockInto(body: BodyLowering, { stmts }: Block, target: Target): void {
  for (const stmt of stmts.slice(0, -1)) body.stmt(stmt);
  const last = stmts.at(-1);
  if (last !== undefined) lastInto(body, last, target);
}

function lastInto(body: BodyLowering, last: Stmt, target: Target): void {
  if (last.kind === 'ExprStmt') body.at(last, () => store(body, target, body.expr(last.expr)));
  else if (last.kind === 'IfStmt' && last.otherwise !== undefined) body.at(last, () => ifInto(body, last, target));
  else body.stmt(last);
}

export function ifInto(body: BodyLowering, expr: IfExpr | IfStmt, target: Target): void {
  body.emit(`if (${body.expr(expr.condition)}) {`);
  blockInto(body, expr.body, target);
  elseInto(body, expr.otherwise, target);
  body.emit('}');
}

/** Lowers what follows a branch, without its closing brace. A condition that needs statements becomes a nested `if`. */
function elseInto(body: BodyLowering, otherwise: IfExpr['otherwise'] | IfStmt['otherwise'], target: Target): void {
  if (otherwise === undefined) return;
  if (otherwise.kind === 'Block') {
    body.emit('} else {');
    return blockInto(body, otherwise, target);
  }
  let condition = '';
  const lines = body.captured(() => {
    condition = body.expr(otherwise.condition);
  });
  if (lines.length === 0) {
    body.emit(`} else if (${condition}) {`);
    blockInto(body, otherwise.body, target);
    return elseInto(body, otherwise.otherwise, target);
  }
  body.emit('} else {', ...lines, `if (${condition}) {`);
  blockInto(body, otherwise.body, target);
  elseInto(body, otherwise.otherwise, target);
  body.emit('}');
}

export function lowerIf(body: BodyLowering, expr: IfExpr): string {
  const short = shortIf(body, expr);
  if (short !== undefined) return short;
  const result = body.variable();
  ifInto(body, expr, result);
  return result;
}

/** `a ? b : c`, if no part needs a statement. */
function shortIf(body: BodyLowering, { condition, body: then, otherwise }: IfExpr): string | undefined {
  const [first] = then.stmts;
  const second = otherwise.kind === 'Block' ? otherwise.stmts[0] : undefined;
  if (otherwise.kind !== 'Block' || then.stmts.length !== 1 || otherwise.stmts.length !== 1) return undefined;
  if (first?.kind !== 'ExprStmt' || second?.kind !== 'ExprStmt') return undefined;
  if (!isPlain(first.expr.kind) || !isPlain(second.expr.kind)) return undefined;
  return `(${body.expr(condition)} ? ${body.expr(first.expr)} : ${body.expr(second.expr)})`;
}

const PLAIN = new Set(['IntExpr', 'FloatExpr', 'BoolExpr', 'StringExpr', 'NoneExpr', 'IdentExpr']);
const isPlain = (kind: string): boolean => PLAIN.has(kind);

/** Lowers the arms to an `if` chain over the tag, so that `break` in an arm leaves the enclosing loop. */
function matchInto(
  body: BodyLowering,
  { subject, arms }: MatchExpr | MatchStmt,
  inside: (index: number) => void,
): void {
  const value = body.temp(body.expr(subject));
  for (const [index, { pattern }] of arms.entries()) {
    const isLast = index === arms.length - 1;
    body.emit(`${index === 0 ? '' : '} else '}${isLast && index > 0 ? '' : `if (${test(body, pattern, value)}) `}{`);
    for (const line of bindings(body, pattern, value)) body.emit(line);
    inside(index);
  }
  if (arms.length > 0) body.emit('}');
}

function test(body: BodyLowering, pattern: Pattern, value: string): string {
  const variant = variantNamed(body, pattern.path);
  const index = variant?.symbol.decl.variants.findIndex(({ name }) => name.text === variant.name);
  return `${value}.tag === ${index ?? -1}`;
}

function bindings(body: BodyLowering, pattern: Pattern, value: string): readonly string[] {
  const variant = variantNamed(body, pattern.path);
  const fields = variant?.symbol.decl.variants.find(({ name }) => name.text === variant.name)?.fields ?? [];
  return (pattern.bindings ?? []).map(({ field, rename }) => {
    const index = fields.findIndex(({ name }) => name.text === field.text);
    return `let ${localName((rename ?? field).text)} = ${value}.fields[${index}];`;
  });
}

export function lowerMatch(body: BodyLowering, expr: MatchExpr): string {
  const result = body.variable();
  matchInto(body, expr, index => {
    const arm = expr.arms[index];
    if (arm !== undefined) body.at(arm.value, () => store(body, result, body.expr(arm.value)));
  });
  return result;
}

export const lowerMatchStmt = (body: BodyLowering, stmt: MatchStmt): void =>
  matchInto(body, stmt, index => {
    const arm = stmt.arms[index];
    if (arm !== undefined) body.block(arm.body);
  });

/** Lowers `x?`: returns `none` from the function if the value is `none`. */
export function lowerNullPropagate(body: BodyLowering, expr: NullPropagateExpr): string {
  const value = body.temp(body.expr(expr.operand));
  body.emit(`if (${value} === null) return null;`);
  return value;
}

export function lowerCatch(body: BodyLowering, expr: CatchExpr): string {
  const operand = withoutParens(expr.operand);
  if (!isCall(operand)) return body.expr(operand);
  const result = body.variable();
  const { after, ...value } = callOf(body, operand, true);
  const code = asWide({ code: value.code, isCompact: value.isCompact === true });
  const thrown = `$e${result.slice(2)}`;
  body.emit('try {', `${result} = ${code};`);
  if (after !== undefined) body.emit(after);
  const target = body.typeOf(operand).kind === 'void' ? undefined : result;
  body.emit(`} catch (${thrown}) {`);
  const error = body.temp(`$rt.caught(${thrown})`);
  handlers(body, expr, error, thrown, target);
  body.emit('}');
  return result;
}

function handlers(body: BodyLowering, expr: CatchExpr, error: string, thrown: string, target: Target): void {
  let isFirst = true;
  for (const handler of expr.handlers) {
    if (handler.kind === 'TypedHandler')
      body.emit(
        `${isFirst ? '' : '} else '}if (${isOfType(
          body,
          handler.error.map(({ text }) => text),
          error,
        )}) {`,
      );
    else body.emit(isFirst ? '{' : '} else {');
    isFirst = false;
    if (handler.kind === 'ValueHandler') body.at(handler, () => store(body, target, body.expr(handler.value)));
    else {
      body.emit(`let ${localName(handler.name.text)} = ${error};`);
      blockInto(body, handler.body, target);
    }
    // Handlers after a catch-all are unreachable.
    if (handler.kind !== 'TypedHandler') return body.emit('}');
  }
  body.emit(`} else throw ${thrown};`);
}

/** Tests the type of an error. A runtime error matches the program's error of the same name. */
function isOfType(body: BodyLowering, path: readonly string[], error: string): string {
  const symbol = body.program.errorNamed(body.file, path);
  if (symbol === undefined) return 'false';
  const type = body.program.error(symbol);
  return body.program.isRaisedByRuntime(symbol)
    ? `(${error}.type === ${type} || ${error}.type === $rt.errors.${symbol.name})`
    : `${error}.type === ${type}`;
}
