import type { BinaryOp, Expr } from '../syntax/ast/code.ts';
import { BINARY_LEVELS } from '../syntax/binary-levels.ts';

/** The minimum precedence of an operand without parentheses. */
export const Level = { Any: 0, Binary: 2, Cast: 12, Prefix: 13, Postfix: 14 } as const;

/** One level above that of the parser, because the level below `||` is that of ranges. */
export const levelOfOp = (op: BinaryOp): number => BINARY_LEVELS[op] + 1;

export function levelOf(expr: Expr): number {
  switch (expr.kind) {
    case 'RangeExpr':
      return 1;
    case 'BinaryExpr':
      return levelOfOp(expr.op);
    case 'CastExpr':
      return Level.Cast;
    case 'UnaryExpr':
      return Level.Prefix;
    // These extend as far as possible to the right.
    case 'ClosureExpr':
      return 0;
    case 'CatchExpr':
      return expr.handlers.at(-1)?.kind === 'ValueHandler' ? 0 : Level.Postfix;
    default:
      return Level.Postfix;
  }
}

/** Whether the text ends with a type to which a following `<` would belong. */
export function endsWithType(expr: Expr): boolean {
  switch (expr.kind) {
    case 'CastExpr':
      return true;
    case 'BinaryExpr':
      return endsWithType(expr.right);
    case 'UnaryExpr':
      return endsWithType(expr.operand);
    case 'RangeExpr':
      return endsWithType(expr.to);
    case 'ClosureExpr':
      return expr.body.kind !== 'Block' && endsWithType(expr.body);
    case 'CatchExpr': {
      const last = expr.handlers.at(-1);
      return last?.kind === 'ValueHandler' && endsWithType(last.value);
    }
    default:
      return false;
  }
}

/** Whether the text starts with a parenthesis. */
export function startsWithParen(expr: Expr): boolean {
  switch (expr.kind) {
    case 'ParenExpr':
    case 'ClosureExpr':
      return true;
    case 'BinaryExpr':
      return startsWithParen(expr.left);
    case 'RangeExpr':
      return startsWithParen(expr.from);
    case 'CastExpr':
    case 'PropagateExpr':
    case 'NullPropagateExpr':
    case 'CatchExpr':
      return startsWithParen(expr.operand) || levelOf(expr.operand) < Level.Postfix;
    case 'MemberExpr':
    case 'MethodCallExpr':
    case 'IndexExpr':
      return startsWithParen(expr.object) || levelOf(expr.object) < Level.Postfix || expr.object.kind === 'FloatExpr';
    default:
      return false;
  }
}
