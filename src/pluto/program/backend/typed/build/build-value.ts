import { BOOL, VOID } from '../../../../language/check/types/make.ts';
import type { Type } from '../../../../language/check/types/type.ts';
import type {
  CatchExpr,
  ClosureExpr,
  Expr,
  FStringExpr,
  IdentExpr,
  IfExpr,
  MatchExpr,
  MemberExpr,
  RecordExpr,
  SpawnExpr,
} from '../../../../language/syntax/ast/code.ts';
import { dottedPath, withoutParens } from '../../../../language/syntax/ast/code.ts';
import type { Name } from '../../../../language/syntax/ast/node.ts';
import type {
  Captured,
  FieldUse,
  IfValue,
  Place,
  TypedBlock,
  TypedHandler,
  TypedValue,
  Variable,
} from '../typed-form.ts';
import { visitCode } from '../children.ts';
import type { BodyBuilder } from './body-builder.ts';
import { buildCall, isCall } from './build-call.ts';
import { fieldOf, initsOf, patternOf, variantNamed } from './members.ts';
import { literalValue } from './literal-value.ts';

export function buildValue(body: BodyBuilder, expr: Expr): TypedValue {
  const type = body.typeOf(expr);
  switch (expr.kind) {
    case 'IntExpr':
      return { kind: 'int', type, value: literalValue(expr.raw) };
    case 'FloatExpr':
      return { kind: 'float', type, value: Number(expr.raw.replaceAll('_', '')) };
    case 'BoolExpr':
      return { kind: 'bool', type, value: expr.value };
    case 'StringExpr':
      return { kind: 'string', type, value: expr.value };
    case 'FStringExpr':
      return { kind: 'interpolation', type, pieces: piecesOf(body, expr) };
    case 'IdentExpr':
      return nameOf(body, expr);
    case 'SelfExpr':
      return { kind: 'self', type };
    case 'ListExpr':
      return { kind: 'list', type, elements: body.values(expr.elements) };
    case 'MapExpr':
      return {
        kind: 'map',
        type,
        entries: expr.entries.map(({ key, value }) => [body.value(key), body.value(value)] as const),
      };
    case 'SetExpr':
      return { kind: 'set', type, elements: body.values(expr.elements) };
    case 'RecordExpr':
      return record(body, expr, type);
    case 'VariantExpr':
      return variantValue(body, [...expr.enumPath, expr.variant], type) ?? { kind: 'none', type };
    case 'ParenExpr':
      return body.value(expr.inner);
    case 'PropagateExpr':
      return body.value(withoutParens(expr.operand));
    case 'ClosureExpr':
      return closure(body, expr, type);
    case 'IfExpr':
      return ifValue(body, expr, type);
    case 'MatchExpr':
      return matchValue(body, expr, type);
    case 'SpawnExpr':
      return spawn(body, expr, type);
    case 'CallExpr':
    case 'StaticCallExpr':
    case 'MethodCallExpr':
      return buildCall(body, expr);
    case 'MemberExpr':
      return member(body, expr);
    case 'IndexExpr':
      return { kind: 'index', type, object: body.value(expr.object), index: body.value(expr.index) };
    case 'NullPropagateExpr':
      return { kind: 'none-exit', type, operand: body.value(expr.operand) };
    case 'CatchExpr':
      return catchValue(body, expr, type);
    case 'CastExpr':
      return { kind: 'cast', type: body.type(expr.type), operand: body.value(expr.operand) };
    case 'UnaryExpr':
      return { kind: 'unary', type, op: expr.op, operand: body.value(expr.operand) };
    case 'BinaryExpr': {
      // Long chains are nested on the left, so the left side is walked without recursion.
      const links = [expr];
      let first = expr.left;
      for (; first.kind === 'BinaryExpr'; first = first.left) links.push(first);
      let left = body.value(first);
      for (const link of links.toReversed())
        left = { kind: 'binary', type: body.typeOf(link), op: link.op, left, right: body.value(link.right) };
      return left;
    }
    case 'RangeExpr':
      return {
        kind: 'range',
        type,
        from: body.value(expr.from),
        to: body.value(expr.to),
        isInclusive: expr.isInclusive,
      };
    default:
      return { kind: 'none', type };
  }
}

const piecesOf = (body: BodyBuilder, { pieces }: FStringExpr): readonly (string | TypedValue)[] =>
  pieces.map(piece => (piece.kind === 'FStringText' ? piece.value : body.value(piece)));

/** A variable, or an ambient dependency, which is a field of `self`. */
function nameOf(body: BodyBuilder, expr: IdentExpr): TypedValue {
  const type = body.typeOf(expr);
  if (body.facts.isAmbient(expr.start)) return ambient(expr, type);
  const variable = body.variableAt(expr.start);
  return variable === undefined ? { kind: 'none', type } : { kind: 'variable', type, variable };
}

const ambient = ({ name }: IdentExpr, type: Type): FieldUse => ({
  kind: 'field',
  type,
  object: { kind: 'self', type: VOID },
  name,
  range: undefined,
});

function member(body: BodyBuilder, expr: MemberExpr): TypedValue {
  const type = body.typeOf(expr);
  const path = dottedPath(expr);
  const [first] = path ?? [];
  if (path !== undefined && first !== undefined && body.facts.isUnbound(first.start)) {
    const variant = variantValue(body, path, type);
    if (variant !== undefined) return variant;
  }
  return fieldOf(body, body.value(expr.object), expr.name.text, type);
}

// --- Literals ---

function record(body: BodyBuilder, expr: RecordExpr, type: Type): TypedValue {
  const named = variantNamed(body, expr.path);
  if (named !== undefined) {
    const of = body.program.variant(named.symbol, named.name, type);
    return { kind: 'variant', type, of, fields: initsOf(body, of.fields, expr.fields) };
  }
  if (type.kind !== 'class') return { kind: 'none', type };
  const of = body.program.classOfObjects(type);
  const names = Array.from(body.signatures.class(type.symbol).fields.keys());
  return { kind: 'object', type, of, fields: initsOf(body, names, expr.fields), isChecked: true };
}

function variantValue(body: BodyBuilder, path: readonly Name[], type: Type): TypedValue | undefined {
  const named = variantNamed(body, path);
  return named && { kind: 'variant', type, of: body.program.variant(named.symbol, named.name, type), fields: [] };
}

// --- Closures and tasks ---

function closure(body: BodyBuilder, expr: ClosureExpr, type: Type): TypedValue {
  const fn = type.kind === 'fn' ? type : undefined;
  const params = expr.params.map(({ name }, index) => body.declare(name, fn?.params[index]));
  const inside = expr.body;
  const place = body.placeOf(inside);
  const block =
    inside.kind === 'Block'
      ? withEnd(body.block(inside), fn?.result ?? VOID, place)
      : [{ kind: 'return' as const, place, value: body.value(inside) }];
  const captured = capturedBy(body, expr);
  const assigned = new Set<Variable>();
  visitCode(
    { block },
    {
      stmt(stmt) {
        if (
          stmt.kind === 'assign' &&
          stmt.target.kind === 'variable' &&
          captured.variables.includes(stmt.target.variable)
        )
          assigned.add(stmt.target.variable);
      },
    },
  );
  return { kind: 'closure', type, params, result: fn?.result ?? VOID, body: block, captured, assigned };
}

/** The code of a closure, which fails at its end if it should have returned a value: the checker does not require that. */
const withEnd = (block: TypedBlock, result: Type, place: Place | undefined): TypedBlock =>
  result.kind === 'void' || block.at(-1)?.kind === 'return'
    ? block
    : [
        ...block,
        {
          kind: 'check',
          place,
          condition: { kind: 'bool', type: BOOL, value: false },
          message: 'pluto: closure ended without a value',
        },
      ];

function spawn(body: BodyBuilder, expr: SpawnExpr, type: Type): TypedValue {
  const call = withoutParens(expr.call);
  body.program.hasTasks = true;
  return { kind: 'spawn', type, call: body.value(call), captured: capturedBy(body, call) };
}

function capturedBy(body: BodyBuilder, expr: Expr): Captured {
  const variables = body.facts.capturedBy(expr).map(local => body.variableOf(local));
  return { variables, hasSelf: body.facts.hasSelf(expr) };
}

// --- Branches ---

function ifValue(body: BodyBuilder, { condition, body: then, otherwise }: IfExpr, type: Type): IfValue {
  return {
    kind: 'if-value',
    type,
    condition: body.value(condition),
    body: body.block(then),
    otherwise: otherwise.kind === 'Block' ? body.block(otherwise) : ifValue(body, otherwise, type),
  };
}

function matchValue(body: BodyBuilder, expr: MatchExpr, type: Type): TypedValue {
  const subject = body.value(expr.subject);
  const arms = expr.arms.map(({ pattern, value }) => ({
    ...patternOf(body, pattern),
    value: body.value(value),
    place: body.placeOf(value),
  }));
  return { kind: 'match-value', type, subject, arms };
}

function catchValue(body: BodyBuilder, expr: CatchExpr, type: Type): TypedValue {
  const operand = withoutParens(expr.operand);
  if (!isCall(operand)) return body.value(operand);
  const built = body.value(operand);
  const handlers: TypedHandler[] = [];
  for (const handler of expr.handlers) {
    if (handler.kind === 'ValueHandler') {
      const value = { kind: 'value' as const, place: body.placeOf(handler), value: body.value(handler.value) };
      handlers.push({ error: undefined, variable: undefined, body: [value] });
    } else {
      const variable = body.declare(handler.name);
      handlers.push({ error: errorOf(body, handler), variable, body: body.block(handler.body) });
    }
    // Handlers after one for any error are unreachable.
    if (handler.kind !== 'TypedHandler') break;
  }
  return { kind: 'catch', type, operand: built, handlers };
}

function errorOf(body: BodyBuilder, handler: CatchExpr['handlers'][number]): TypedHandler['error'] {
  if (handler.kind !== 'TypedHandler') return undefined;
  const path = handler.error.map(({ text }) => text);
  const symbol = body.program.errorNamed(body.file, path);
  return symbol && body.program.error(symbol);
}
