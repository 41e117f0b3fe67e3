import { type Expr, withoutParens } from '../../../../language/syntax/ast/code.ts';

/** The text of a condition in failures: names, fields, operators, `len()` and literals, without parentheses; `<expr>` for anything else. */
export function textOfContract(expr: Expr): string {
  const inner = withoutParens(expr);
  switch (inner.kind) {
    case 'IdentExpr':
      return inner.name;
    case 'SelfExpr':
      return 'self';
    case 'NoneExpr':
      return 'none';
    case 'BoolExpr':
      return String(inner.value);
    case 'IntExpr':
      return BigInt(inner.raw.replaceAll('_', '')).toString();
    case 'FloatExpr':
      return String(Number(inner.raw.replaceAll('_', '')));
    case 'StringExpr':
      return inner.raw;
    case 'MemberExpr':
      return `${textOfContract(inner.object)}.${inner.name.text}`;
    case 'UnaryExpr':
      return `${inner.op}${textOfContract(inner.operand)}`;
    case 'BinaryExpr':
      return `${textOfContract(inner.left)} ${inner.op} ${textOfContract(inner.right)}`;
    case 'MethodCallExpr':
      return inner.name.text === 'len' && inner.args.length === 0 ? `${textOfContract(inner.object)}.len()` : '<expr>';
    default:
      return '<expr>';
  }
}
