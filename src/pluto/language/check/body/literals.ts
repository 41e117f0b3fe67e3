import type { FStringExpr, ListExpr, MapExpr, RecordExpr, SetExpr, VariantExpr } from '../../syntax/ast/code.ts';
import type { Span } from '../../syntax/ast/span.ts';
import { findTypeSymbol } from '../program/resolve-type.ts';
import { classOf, listOf, mapOf, STRING, UNKNOWN, wrap } from '../types/make.ts';
import { commonType, isKey } from '../types/relate.ts';
import { checkBounds } from '../types/bounds.ts';
import { showType } from '../types/show.ts';
import { substitute, substitution } from '../types/substitute.ts';
import type { Type } from '../types/type.ts';
import type { Body } from './body.ts';
import { isPrintable } from './builtin-functions.ts';
import { isConcrete } from './calls.ts';
import { checkInits, variantOf, variantValue } from './variants.ts';

export function checkFString(body: Body, { pieces }: FStringExpr): Type {
  for (const piece of pieces) {
    if (piece.kind === 'FStringText') continue;
    const type = body.expr(piece);
    if (!isPrintable(type)) body.report('interpolation-type', piece, `cannot interpolate type ${showType(type)}`);
  }
  return STRING;
}

export function checkList(body: Body, expr: ListExpr, expected: Type | undefined): Type {
  const wanted = expected?.kind === 'nullable' ? expected.element : expected;
  const hint = wanted?.kind === 'list' ? wanted.element : undefined;
  const [first, ...rest] = expr.elements;
  if (first === undefined) {
    if (wanted?.kind === 'list') return wanted;
    if (wanted?.kind === 'unknown' || wanted?.kind === 'param') return listOf(UNKNOWN);
    body.report(
      'array-uninferable',
      expr,
      wanted === undefined
        ? 'cannot infer type of empty array: add a type, as in let x: [int] = []'
        : `expected ${showType(wanted)}, found empty array`,
    );
    return listOf(UNKNOWN);
  }
  const firstType = body.expr(first, hint);
  const inner = hint ?? (firstType.kind === 'list' ? firstType : undefined);
  const types = [firstType, ...rest.map(element => body.expr(element, inner))];
  if (hint !== undefined && types.every(type => body.isCompatible(type, hint))) return listOf(hint);
  let element = firstType;
  for (const [index, type] of types.entries()) {
    const common = commonType(element, type);
    if (common === undefined)
      body.report(
        'array-element-mismatch',
        expr.elements[index] ?? expr,
        `array element type mismatch: expected ${showType(element)}, found ${showType(type)}`,
      );
    else element = common;
  }
  return listOf(element);
}

export function checkMap(body: Body, expr: MapExpr): Type {
  const key = body.type(expr.key);
  const value = body.type(expr.value);
  if (!isKey(key)) body.report('key-type', expr.key, `type ${showType(key)} cannot be used as a map key`);
  for (const entry of expr.entries) {
    body.checkExpr(
      entry.key,
      key,
      'entry-type-mismatch',
      (wanted, found) => `map key type mismatch: expected ${wanted}, found ${found}`,
    );
    body.checkExpr(
      entry.value,
      value,
      'entry-type-mismatch',
      (wanted, found) => `map value type mismatch: expected ${wanted}, found ${found}`,
    );
  }
  return mapOf(key, value);
}

export function checkSet(body: Body, expr: SetExpr): Type {
  const element = body.type(expr.element);
  if (!isKey(element)) body.report('key-type', expr.element, `type ${showType(element)} cannot be used as a set key`);
  for (const one of expr.elements)
    body.checkExpr(
      one,
      element,
      'entry-type-mismatch',
      (wanted, found) => `set element type mismatch: expected ${wanted}, found ${found}`,
    );
  return wrap('set', element);
}

export function checkVariant(body: Body, expr: VariantExpr): Type {
  const variant = variantOf(body, [...expr.enumPath, expr.variant], expr.typeArgs, expr);
  if (variant !== undefined) return variantValue(body, variant, undefined, expr);
  for (const arg of expr.typeArgs) body.type(arg);
  const name = expr.enumPath.map(({ text }) => text).join('.');
  if (name !== '') body.report('enum-unknown', expr, `unknown enum '${name}'`);
  return UNKNOWN;
}

export function checkRecord(body: Body, expr: RecordExpr): Type {
  const { path } = expr;
  if (path.length > 1) {
    const variant = variantOf(body, path, expr.typeArgs, expr);
    if (variant !== undefined) return variantValue(body, variant, expr.fields, expr);
  }
  const symbol = path.length > 2 ? undefined : findTypeSymbol(body.scope, path, body);
  if (symbol?.kind !== 'ClassDecl') {
    for (const arg of expr.typeArgs) body.type(arg);
    for (const { value } of expr.fields) body.expr(value);
    const name = path.map(({ text }) => text).join('.');
    const isOpen = path.length > 1 && body.context.program.isUnresolved(body.context.file, path[0]?.text ?? '');
    if (!isOpen && path.every(({ text }) => text !== '')) {
      if (path.length > 2)
        body.report('enum-unknown', spanOfPath(path) ?? expr, `unknown enum '${name.slice(0, name.lastIndexOf('.'))}'`);
      else body.report('class-unknown', spanOfPath(path) ?? expr, `unknown class '${name}'`);
    }
    return UNKNOWN;
  }
  const signature = body.context.signatures.class(symbol);
  const written = expr.typeArgs.map(arg => body.type(arg));
  if (written.length !== signature.typeParams.length)
    body.report(
      written.length === 0 ? 'class-unknown' : 'call-type-arguments',
      expr,
      written.length === 0
        ? `unknown class '${symbol.name}': it is generic, so write '${symbol.name}<…> { … }'`
        : `class '${symbol.name}' expects ${signature.typeParams.length} type arguments, got ${written.length}`,
    );
  const args = signature.typeParams.map((_, index) => written[index] ?? UNKNOWN);
  const known = substitution(
    signature.typeParams.map(({ type }) => type),
    args,
  );
  const isFine = known === undefined || checkBounds(body, signature.typeParams, known, expr);
  if (signature.hasInjected)
    body.report(
      'class-injected',
      expr,
      `cannot manually construct class '${symbol.name}': it has injected dependencies`,
    );
  const fields = signature.hasInjected
    ? new Map(Array.from(signature.fields).filter(([, field]) => !field.isInjected))
    : signature.fields;
  checkInits(body, `class '${symbol.name}'`, fields, expr.fields, expr, 'literal-fields', field =>
    substitute(field.type, known),
  );
  if (isFine && args.length > 0 && args.every(isConcrete)) body.instances.push({ symbol, args });
  return classOf(symbol, args);
}

function spanOfPath(path: RecordExpr['path']): Span | undefined {
  const first = path[0];
  const last = path.at(-1);
  return first === undefined || last === undefined ? undefined : { start: first.start, end: last.end };
}
