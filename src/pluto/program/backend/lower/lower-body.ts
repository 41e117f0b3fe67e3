import type { Expr } from '../../../language/syntax/ast/code.ts';
import { withoutParens } from '../../../language/syntax/ast/code.ts';
import type { BodyLowering, LoweringRules } from './body.ts';
import { lowerCall } from './calls.ts';
import { lowerClosure, lowerSpawn } from './closures.ts';
import { lowerCatch, lowerIf, lowerMatch, lowerNullPropagate } from './control.ts';
import { asWide, compactCode, literalCode, type ValueCode, wideCode } from './int-code.ts';
import { methodOfIntKeys } from './int-keys.ts';
import { byteLiteral } from '../js-names.ts';
import { floatLiteral, lowerFString, lowerRecord, variantNamed } from './literals.ts';
import { lowerMember, lowerName } from './members.ts';
import { lowerBinary, lowerCast, lowerUnary } from './operators.ts';
import { lowerStmt } from './statements.ts';

function lowerExpr(body: BodyLowering, expr: Expr): string {
  switch (expr.kind) {
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
    case 'ClosureExpr':
      return lowerClosure(body, expr);
    case 'IfExpr':
      return lowerIf(body, expr);
    case 'MatchExpr':
      return lowerMatch(body, expr);
    case 'SpawnExpr':
      return lowerSpawn(body, expr);
    case 'NullPropagateExpr':
      return lowerNullPropagate(body, expr);
    case 'CatchExpr':
      return lowerCatch(body, expr);
    case 'CastExpr':
      return lowerCast(body, expr);
    case 'RangeExpr':
      return `$rt.range(${[...body.exprs([expr.from, expr.to]), expr.isInclusive].join(', ')})`;
    case 'IntExpr':
    case 'IdentExpr':
    case 'ParenExpr':
    case 'MemberExpr':
    case 'CallExpr':
    case 'StaticCallExpr':
    case 'MethodCallExpr':
    case 'PropagateExpr':
    case 'UnaryExpr':
    case 'BinaryExpr':
    case 'IndexExpr':
      return asWide(lowerValue(body, expr));
    default:
      return 'null';
  }
}

/** Lowers an expression. The value of an int is compact if that is its natural form. */
function lowerValue(body: BodyLowering, expr: Expr): ValueCode {
  switch (expr.kind) {
    case 'IntExpr':
      return literalCode(expr.raw);
    case 'IdentExpr': {
      const constant = body.constantAt(expr.start);
      if (constant !== undefined) return compactCode(String(constant));
      return {
        code: lowerName(body, expr),
        isCompact: body.isCompactAt(expr.start),
        range: body.rangeAt(expr.start),
      };
    }
    case 'ParenExpr':
      return body.value(expr.inner);
    case 'MemberExpr':
      return lowerMember(body, expr);
    case 'CallExpr':
    case 'StaticCallExpr':
    case 'MethodCallExpr':
      return lowerCall(body, expr);
    case 'PropagateExpr':
      return body.value(withoutParens(expr.operand));
    case 'UnaryExpr':
      return lowerUnary(body, expr);
    case 'BinaryExpr':
      return lowerBinary(body, expr);
    case 'IndexExpr':
      return lowerIndex(body, expr.object, expr.index);
    default:
      return wideCode(lowerExpr(body, expr));
  }
}

function entries(codes: readonly string[]): string {
  const pairs: string[] = [];
  for (let index = 0; index < codes.length; index += 2)
    pairs.push(`[${codes[index] ?? ''}, ${codes[index + 1] ?? ''}]`);
  return pairs.join(', ');
}

function lowerIndex(body: BodyLowering, object: Expr, index: Expr): ValueCode {
  const type = body.typeOf(withoutParens(object));
  if (type.kind === 'list' || type.kind === 'string') {
    const [of, at] = body.values([object, index]);
    if (of !== undefined && at?.isCompact === true)
      return wideCode(type.kind === 'list' ? `${of.code}.$at(${at.code})` : `$rt.str.char_at(${of.code}, ${at.code})`);
    if (of !== undefined && at !== undefined)
      return wideCode(type.kind === 'list' ? `${of.code}.getAt(${at.code})` : `$rt.getAt(${of.code}, ${at.code})`);
  }
  const ofInts = methodOfIntKeys(type, 'at');
  if (ofInts !== undefined) {
    const [map = '', key = ''] = body.sequence([() => body.expr(object), () => body.compact(index)]);
    return { code: `${map}.${ofInts.name}(${key})`, isCompact: ofInts.isCompact };
  }
  const [of = '', at = ''] = body.exprs([object, index]);
  return wideCode(type.kind === 'map' || type.kind === 'bytes' ? `${of}.getAt(${at})` : `$rt.getAt(${of}, ${at})`);
}

export const rules: LoweringRules = { expr: lowerExpr, value: lowerValue, stmt: lowerStmt };
