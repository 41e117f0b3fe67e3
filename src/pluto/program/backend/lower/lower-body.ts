import type { Expr } from '../../../language/syntax/ast/code.ts';
import { withoutParens } from '../../../language/syntax/ast/code.ts';
import type { BodyLowering, LoweringRules } from './body.ts';
import { lowerCall } from './calls.ts';
import { lowerClosure, lowerSpawn } from './closures.ts';
import { lowerCatch, lowerIf, lowerMatch, lowerNullPropagate } from './control.ts';
import { byteLiteral } from './js-names.ts';
import { floatLiteral, intLiteral, lowerFString, lowerRecord, variantNamed } from './literals.ts';
import { lowerMember, lowerName } from './members.ts';
import { lowerBinary, lowerCast, lowerUnary } from './operators.ts';
import { lowerStmt } from './statements.ts';

function lowerExpr(body: BodyLowering, expr: Expr): string {
  switch (expr.kind) {
    case 'IntExpr':
      return intLiteral(expr.raw);
    case 'FloatExpr':
      return floatLiteral(expr.raw);
    case 'BoolExpr':
      return String(expr.value);
    case 'NoneExpr':
      return 'null';
    case 'StringExpr':
      return byteLiteral(expr.value);
    case 'FStringExpr':
      return lowerFString(body, expr);
    case 'IdentExpr':
      return lowerName(body, expr);
    case 'SelfExpr':
      return 'self';
    case 'ListExpr':
      return `$rt.list([${body.exprs(expr.elements).join(', ')}])`;
    case 'MapExpr':
      return `$rt.map([${entries(body.exprs(expr.entries.flatMap(({ key, value }) => [key, value])))}])`;
    case 'SetExpr':
      return `$rt.set([${body.exprs(expr.elements).join(', ')}])`;
    case 'RecordExpr':
      return lowerRecord(body, expr);
    case 'VariantExpr': {
      const variant = variantNamed(body, [...expr.enumPath, expr.variant]);
      return variant === undefined ? 'null' : `${body.program.variant(variant.symbol, variant.name)}.make()`;
    }
    case 'ParenExpr':
      return body.expr(expr.inner);
    case 'ClosureExpr':
      return lowerClosure(body, expr);
    case 'IfExpr':
      return lowerIf(body, expr);
    case 'MatchExpr':
      return lowerMatch(body, expr);
    case 'SpawnExpr':
      return lowerSpawn(body, expr);
    case 'CallExpr':
    case 'StaticCallExpr':
    case 'MethodCallExpr':
      return lowerCall(body, expr);
    case 'MemberExpr':
      return lowerMember(body, expr);
    case 'IndexExpr':
      return lowerIndex(body, expr.object, expr.index);
    case 'PropagateExpr':
      return body.expr(withoutParens(expr.operand));
    case 'NullPropagateExpr':
      return lowerNullPropagate(body, expr);
    case 'CatchExpr':
      return lowerCatch(body, expr);
    case 'CastExpr':
      return lowerCast(body, expr);
    case 'UnaryExpr':
      return lowerUnary(body, expr);
    case 'BinaryExpr':
      return lowerBinary(body, expr);
    case 'RangeExpr':
      return `$rt.range(${[...body.exprs([expr.from, expr.to]), expr.isInclusive].join(', ')})`;
    default:
      return 'null';
  }
}

function entries(codes: readonly string[]): string {
  const pairs: string[] = [];
  for (let index = 0; index < codes.length; index += 2)
    pairs.push(`[${codes[index] ?? ''}, ${codes[index + 1] ?? ''}]`);
  return pairs.join(', ');
}

function lowerIndex(body: BodyLowering, object: Expr, index: Expr): string {
  const { kind } = body.typeOf(withoutParens(object));
  const [of = '', at = ''] = body.exprs([object, index]);
  if (kind === 'list' || kind === 'map' || kind === 'bytes') return `${of}.getAt(${at})`;
  return `$rt.getAt(${of}, ${at})`;
}

export const rules: LoweringRules = { expr: lowerExpr, stmt: lowerStmt };
