import type { Block, ClosureExpr, Expr, IdentExpr, SpawnExpr, Stmt } from '../../../language/syntax/ast/code.ts';
import { withoutParens } from '../../../language/syntax/ast/code.ts';
import { eachChildOfExpr, eachChildOfStmt } from '../../../language/syntax/children.ts';

import type { BodyLowering } from './body.ts';
import type { Type } from '../../../language/check/types/type.ts';
import { choice, closureKey, wideClosureKey } from './blocking.ts';
import { copyName, localName } from '../js-names.ts';

/** Lowers a closure. Captured values are copied when it is created, and again in each call that assigns to them. */
export function lowerClosure(body: BodyLowering, expr: ClosureExpr): string {
  const key = closureKey(expr.params.length);
  const wideKey = wideClosureKey(expr.params.length);
  const type = body.typeOf(expr);
  if (!hasPlainInts(type)) body.program.blocking.block(wideKey);
  const assigned = assignedIn(expr);
  const params = expr.params.map(({ name }) => localName(name.text));
  const captured = capturedBy(body, expr);
  const isCopied = (name: string): boolean => assigned.has(name);
  const lines = body.inFrame(key, () => {
    body.frame.returnsCompact = type.kind === 'fn' && type.result.kind === 'int';
    body.frame.wideKey = wideKey;
    for (const [index, { name }] of expr.params.entries())
      if (type.kind === 'fn' && type.params[index]?.kind === 'int') body.receive(wideKey, name);
    for (const name of captured) if (isCopied(name)) body.emit(`let ${name} = ${copyName(name)};`);
    if (expr.body.kind === 'Block') body.block(expr.body);
    else {
      const value = expr.body;
      const { returnsCompact } = body.frame;
      body.at(value, () =>
        body.emit(`return ${returnsCompact ? body.returned(body.compact(value)) : body.expr(value)};`),
      );
    }
  });
  const head = choice(key, `function* (${params.join(', ')})`, `(${params.join(', ')}) =>`);
  const made = `${head} {\n${lines.join('\n')}\n}`;
  if (captured.length === 0) return `(${made})`;
  const outer = captured.map(name => (isCopied(name) ? copyName(name) : name));
  return `$rt.closure((${outer.join(', ')}) => ${wrapped(made)}, [${captured.join(', ')}])`;
}

/** Whether each value of a function is an int for all code that has the function, or for none. */
export const hasPlainInts = (type: Type): boolean =>
  type.kind === 'fn' &&
  !type.isOpen &&
  [...type.params, type.result].every(({ kind }) => kind !== 'nullable' && kind !== 'none' && kind !== 'unknown');

const wrapped = (code: string): string => `(${code})`;

/** Lowers `spawn`: the call runs in a new task on copies of the captured values. */
export function lowerSpawn(body: BodyLowering, expr: SpawnExpr): string {
  const key = `task ${body.program.next()}`;
  const call = withoutParens(expr.call);
  const captured = capturedBy(body, call);
  const lines = body.inFrame(key, () => body.emit(`return ${body.expr(call)};`));
  const head = choice(key, `function* (${captured.join(', ')})`, `(${captured.join(', ')}) =>`);
  return `$rt.spawn([${captured.join(', ')}], ${head} {\n${lines.join('\n')}\n}, ${choice(key, 'true', 'false')})`;
}

/** JavaScript names of the captured variables, `self` included. Constants are part of the code. */
function capturedBy(body: BodyLowering, expr: Expr): readonly string[] {
  const names = body.facts
    .capturedBy(expr)
    .filter(({ span }) => body.constantAt(span.start) === undefined)
    .map(({ name }) => localName(name));
  return body.facts.hasAmbient(expr) || hasSelf(expr) ? ['self', ...names] : names;
}

/** Names of the variables that a closure or a block assigns. Names are unique in a function. */
const assignedIn = (code: ClosureExpr | Block): ReadonlySet<string> =>
  new Set(assignmentsIn(code).map(({ name }) => localName(name)));

/** The uses of variables as the targets of assignments in a closure or a block. */
export function assignmentsIn(code: ClosureExpr | Block): readonly IdentExpr[] {
  const targets: IdentExpr[] = [];
  visit(code, {
    expr: () => undefined,
    stmt: stmt => {
      if (stmt.kind !== 'AssignStmt' && stmt.kind !== 'StepStmt') return;
      const target = withoutParens(stmt.target);
      if (target.kind === 'IdentExpr') targets.push(target);
    },
  });
  return targets;
}

function hasSelf(expr: Expr): boolean {
  let isFound = false;
  visit(expr, {
    expr: ({ kind }) => {
      if (kind === 'SelfExpr') isFound = true;
    },
    stmt: () => undefined,
  });
  return isFound;
}

interface Visitor {
  expr(expr: Expr): void;
  stmt(stmt: Stmt): void;
}

function visit(root: Expr | Block, visitor: Visitor): void {
  const onExpr = (expr: Expr): void => {
    visitor.expr(expr);
    eachChildOfExpr(expr, children);
  };
  const onBlock = ({ stmts }: Block): void => stmts.forEach(onStmt);
  const onStmt = (stmt: Stmt): void => {
    visitor.stmt(stmt);
    eachChildOfStmt(stmt, children, onStmt);
  };
  const children = { expr: onExpr, block: onBlock, type: () => undefined };
  if (root.kind === 'Block') onBlock(root);
  else onExpr(root);
}
