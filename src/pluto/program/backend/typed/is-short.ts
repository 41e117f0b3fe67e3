import { eachChildOfStmt, eachChildOfValue } from './children.ts';
import type { TypedFunction, TypedProgram, TypedStmt, TypedValue } from './typed-form.ts';

/** Limit of the steps of a short program. With `PIECE_STEPS`, no text can become longer than about a million times those of the source. */
const MAX_STEPS = 1_000;
/** The steps of a part of a joined text. */
const PIECE_STEPS = 25;

/** Values that take little time and memory. Others can contain each other, so that their text is long, or wait, or call unknown code. */
const values: ReadonlySet<TypedValue['kind']> = new Set([
  'int',
  'float',
  'bool',
  'none',
  'string',
  'interpolation',
  'variable',
  'if-value',
  'none-exit',
  'cast',
  'unary',
  'binary',
  'call',
  'call-builtin',
]);

const stmts: ReadonlySet<TypedStmt['kind']> = new Set(['let', 'assign', 'return', 'if', 'scope', 'check', 'value']);

/**
 * Whether a program ends at once and needs little memory and stack, whatever its values are: it works with scalars and texts only, and has
 * no loop and no recursion. Answers false when it is not certain.
 */
export function isShort({ entry, singletons }: TypedProgram): boolean {
  if (entry?.kind !== 'function' || singletons.length > 0) return false;
  const known = new Map<TypedFunction, number>();
  const stepsOf = (callee: TypedFunction): number => {
    const before = known.get(callee);
    if (before !== undefined) return before;
    // A recursive call finds this.
    known.set(callee, Number.POSITIVE_INFINITY);
    const { checks, block } = callee.body;
    const steps = checks.some(check => check.kind === 'contract')
      ? Number.POSITIVE_INFINITY
      : stepsOfBlock([...checks.filter(check => check.kind === 'check'), ...block], stepsOf);
    known.set(callee, steps);
    return steps;
  };
  return stepsOf(entry.function) <= MAX_STEPS;
}

function stepsOfBlock(block: readonly TypedStmt[], stepsOf: (callee: TypedFunction) => number): number {
  let steps = 0;
  const visitor = {
    stmt(stmt: TypedStmt): void {
      steps += stmts.has(stmt.kind) ? 1 : Number.POSITIVE_INFINITY;
      // Above the limit, the rest of a large program changes nothing.
      if (steps <= MAX_STEPS) eachChildOfStmt(stmt, visitor);
    },
    value(value: TypedValue): void {
      steps += values.has(value.kind) ? stepsOfValue(value) : Number.POSITIVE_INFINITY;
      if (value.kind === 'call') steps += stepsOf(value.callee);
      if (steps <= MAX_STEPS) eachChildOfValue(value, visitor);
    },
  };
  for (const stmt of block) visitor.stmt(stmt);
  return steps;
}

/** The steps of a value without the values in it. */
function stepsOfValue(value: TypedValue): number {
  if (value.kind === 'interpolation') return 1 + PIECE_STEPS * value.pieces.length;
  return value.kind === 'binary' && value.type.kind === 'string' ? 1 + 2 * PIECE_STEPS : 1;
}
