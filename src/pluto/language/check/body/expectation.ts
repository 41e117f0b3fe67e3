import { plural } from '../../../../base/plural.ts';
import type { CallExpr, MethodCallExpr } from '../../syntax/ast/code.ts';
import { UNKNOWN, VOID } from '../types/make.ts';
import { showType } from '../types/show.ts';
import type { Type } from '../types/type.ts';
import type { Body } from './body.ts';

/** Checks `expect(value).to_equal(other)`, `.to_be_true()` and `.to_be_false()`. */
export function checkExpectation(body: Body, expr: MethodCallExpr, expect: CallExpr): Type {
  body.takeHandling();
  const [value] = expect.args;
  if (value === undefined || expect.args.length !== 1)
    body.report('builtin-argument', expect, `expect() expects 1 argument, got ${expect.args.length}`);
  const type = value === undefined ? UNKNOWN : body.expr(value);
  for (const arg of expect.args.slice(1)) body.expr(arg);
  const { name, args } = expr;
  const wanted = name.text === 'to_equal' ? 1 : 0;
  switch (name.text) {
    case 'to_equal': {
      const [other] = args;
      if (type.kind === 'bytes') body.report('expect-misused', expr, 'cannot use to_equal() with bytes');
      if (other !== undefined)
        body.checkExpr(
          other,
          type,
          'expect-misused',
          (expected, found) => `to_equal() compares values of one type: expected ${expected}, found ${found}`,
        );
      break;
    }
    case 'to_be_true':
    case 'to_be_false':
      if (type.kind !== 'bool' && type.kind !== 'unknown' && type.kind !== 'param')
        body.report('expect-misused', value ?? expr, `${name.text}() requires bool, found ${showType(type)}`);
      break;
    default:
      if (name.text !== '')
        body.report(
          'expect-misused',
          name,
          `unknown assertion method '${name.text}': use to_equal(), to_be_true() or to_be_false()`,
        );
      for (const arg of args) body.expr(arg);
      return VOID;
  }
  if (args.length !== wanted)
    body.report('expect-misused', expr, `${name.text}() expects ${wanted} ${plural(wanted, 'argument', 'arguments')}`);
  for (const arg of args.slice(wanted)) body.expr(arg);
  return VOID;
}
