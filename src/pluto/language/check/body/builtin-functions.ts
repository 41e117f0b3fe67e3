import { plural } from '../../../../base/plural.ts';
import type { CallExpr } from '../../syntax/ast/code.ts';
import { BYTES, FLOAT, INT, UNKNOWN, VOID } from '../types/make.ts';
import { showType } from '../types/show.ts';
import type { Type } from '../types/type.ts';
import type { Body, Handling } from './body.ts';
import { raiseBuiltin } from './builtin-errors.ts';
import { isUnconstrained } from './operators.ts';

const unary = ['sqrt', 'floor', 'ceil', 'round', 'sin', 'cos', 'tan', 'log'];
const arity: ReadonlyMap<string, number> = new Map([
  ['print', 1],
  ['abs', 1],
  ['min', 2],
  ['max', 2],
  ['pow', 2],
  ['time_ns', 0],
  ['gc_heap_size', 0],
  ['bytes_new', 0],
  ['expect', 1],
  ...unary.map(name => [name, 1] as const),
]);

/** Whether a name is reserved for a built-in function. */
export const isBuiltinFunction = (name: string): boolean => arity.has(name);

/** Whether `print` and f-strings accept a type. */
export const isPrintable = ({ kind }: Type): boolean =>
  kind === 'int' ||
  kind === 'float' ||
  kind === 'bool' ||
  kind === 'string' ||
  kind === 'byte' ||
  kind === 'param' ||
  kind === 'unknown' ||
  kind === 'never';

export function builtinCall(body: Body, expr: CallExpr, handling: Handling): Type {
  const name = expr.name.text;
  const wanted = arity.get(name) ?? 0;
  if (expr.typeArgs.length > 0)
    body.report('call-type-arguments', expr, `builtin function '${name}' does not accept type arguments`);
  const types = expr.args.map(arg => body.expr(arg));
  const isPower = name === 'pow' && types[0]?.kind === 'int' && types[1]?.kind === 'int';
  if (isPower || handling.how !== 'bare')
    raiseBuiltin(body, handling, isPower ? ['MathError'] : [], expr, `function '${name}'`);
  if (types.length !== wanted) {
    body.report(
      'builtin-argument',
      expr,
      `${name}() expects ${wanted} ${plural(wanted, 'argument', 'arguments')}, got ${types.length}`,
    );
    return UNKNOWN;
  }
  return resultOf(body, expr, types);
}

function resultOf(body: Body, expr: CallExpr, types: readonly Type[]): Type {
  const name = expr.name.text;
  const [first = UNKNOWN, second = UNKNOWN] = types;
  switch (name) {
    case 'print':
      if (!isPrintable(first))
        body.report('builtin-argument', expr.args[0] ?? expr, `print() does not support type ${showType(first)}`);
      return VOID;
    case 'time_ns':
    case 'gc_heap_size':
      return INT;
    case 'bytes_new':
      return BYTES;
    case 'expect':
      return first;
    case 'abs':
      return number(body, expr, first);
    case 'min':
    case 'max':
    case 'pow':
      if (isUnconstrained(first) || isUnconstrained(second)) return isUnconstrained(first) ? second : first;
      if (first !== second) {
        body.report(
          'builtin-argument',
          expr,
          `${name}() expects two values of one type, got ${showType(first)} and ${showType(second)}`,
        );
        return first;
      }
      return number(body, expr, first);
    default:
      if (first !== FLOAT && !isUnconstrained(first))
        body.report(
          'builtin-argument',
          expr.args[0] ?? expr,
          `${name}() does not support type ${showType(first)}: it expects float`,
        );
      return FLOAT;
  }
}

function number(body: Body, expr: CallExpr, type: Type): Type {
  if (type !== INT && type !== FLOAT && !isUnconstrained(type)) {
    body.report('builtin-argument', expr, `${expr.name.text}() does not support type ${showType(type)}`);
    return UNKNOWN;
  }
  return type;
}
