import { isBuiltinFunction } from '../../../language/check/body/builtin-functions.ts';
import type { Block, Expr, IdentExpr, Stmt } from '../../../language/syntax/ast/code.ts';
import { withoutParens } from '../../../language/syntax/ast/code.ts';
import { eachChildOfExpr, eachChildOfStmt } from '../../../language/syntax/children.ts';
import type { FunctionContext } from './function-code.ts';

const CHANGING = new Set(['push', 'pop', 'clear']);

/** What a loop does with lists. Variables are known by the offset of their declaration. */
interface LoopLists {
  /** The list variables that it uses, but does not assign. */
  readonly used: ReadonlySet<number>;
  /** Whether it may change the length of a list. Two variables may have the same list, so which one does not matter. */
  readonly changesLengths: boolean;
  /** Whether each turn runs to its end. */
  readonly runsWhole: boolean;
}

export function loopLists(context: FunctionContext, parts: readonly (Expr | Block)[]): LoopLists {
  const { facts } = context;
  const used = new Set<number>();
  let changesLengths = false;
  let runsWhole = true;
  const onExpr = (expr: Expr): void => {
    switch (expr.kind) {
      case 'IdentExpr': {
        const local = facts.localAt(expr.start);
        if (local?.type.kind === 'list') used.add(local.span.start);
        break;
      }
      case 'CallExpr':
        changesLengths ||= context.find(expr.name.text) !== undefined || !isBuiltinFunction(expr.name.text);
        break;
      case 'MethodCallExpr': {
        const isOnValue = expr.object.kind !== 'IdentExpr' || facts.localAt(expr.object.start) !== undefined;
        changesLengths ||= !isOnValue || CHANGING.has(expr.name.text);
        break;
      }
      default:
    }
    eachChildOfExpr(expr, children);
  };
  const assigned = new Set<number>();
  const onStmt = (stmt: Stmt): void => {
    if (stmt.kind === 'AssignStmt') {
      const target = withoutParens(stmt.target);
      const local = target.kind === 'IdentExpr' ? facts.localAt(target.start) : undefined;
      if (local !== undefined) assigned.add(local.span.start);
    }
    if (stmt.kind === 'BreakStmt' || stmt.kind === 'ContinueStmt' || stmt.kind === 'ReturnStmt') runsWhole = false;
    eachChildOfStmt(stmt, children, onStmt);
  };
  const onBlock = ({ stmts }: Block): void => stmts.forEach(onStmt);
  const children = { expr: onExpr, block: onBlock, type: () => undefined };
  for (const part of parts)
    if (part.kind === 'Block') onBlock(part);
    else onExpr(part);
  for (const start of assigned) used.delete(start);
  return { used, changesLengths, runsWhole };
}

/** The variables of the lists to which each turn of a loop appends one element; none if a turn may end early. */
export function pushedEachTurn(context: FunctionContext, body: Block): readonly IdentExpr[] {
  const { used, runsWhole } = loopLists(context, [body]);
  if (!runsWhole) return [];
  const pushed = new Map<number, IdentExpr>();
  for (const stmt of body.stmts) {
    const call = stmt.kind === 'ExprStmt' ? withoutParens(stmt.expr) : undefined;
    if (call?.kind !== 'MethodCallExpr' || call.name.text !== 'push' || call.object.kind !== 'IdentExpr') continue;
    const local = context.facts.localAt(call.object.start);
    if (local !== undefined && used.has(local.span.start)) pushed.set(local.span.start, call.object);
  }
  // A list that is declared in the loop is another one in each turn.
  return Array.from(pushed).flatMap(([start, name]) => (start < body.start ? [name] : []));
}
