import { visitCode } from './children.ts';
import type { TypedBlock, TypedValue, Variable } from './typed-form.ts';
import { type Arithmetic, counted, exactly, type IntRange, LENGTHS, rangeAfter } from './int-range.ts';

/** Rounds after which a range that still grows is given up. */
const MAX_ROUNDS = 4;

/** `EMPTY`: no value is known yet. `undefined`: any int. */
type Found = IntRange | typeof EMPTY | undefined;
const EMPTY = 'empty';

/** What gives a variable a value: an initial value, an assignment, or the ends of a loop. */
type Source = (rangeOf: (value: TypedValue) => Found) => Found;

/**
 * Finds the bounds of the int variables of a body, from everything that is assigned to each of them: initial values, assignments, and ends
 * of loops. Parameters, and variables that are assigned a value of unknown bounds, have none. All bounds are safe integers.
 */
export function findRanges(block: TypedBlock): void {
  const sources = sourcesIn(block);
  const ranges = new Map<Variable, Found>(Array.from(sources.keys(), variable => [variable, EMPTY]));
  const rangeOf = (value: TypedValue): Found => rangeOfValue(ranges, value);
  // Each later round gives up at least one variable.
  for (let round = 0, hasChanged = true; hasChanged; round += 1) {
    hasChanged = false;
    for (const [variable, all] of sources) {
      const before = ranges.get(variable);
      if (before === undefined) continue;
      const found = all.map(source => source(rangeOf)).reduce(united, before);
      if (isSame(found, before)) continue;
      ranges.set(variable, round < MAX_ROUNDS ? found : undefined);
      hasChanged = true;
    }
  }
  for (const [variable, range] of ranges) if (range !== EMPTY) variable.range = range;
}

function united(a: Found, b: Found): Found {
  if (a === EMPTY || b === undefined) return b;
  if (b === EMPTY || a === undefined) return a;
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

const isSame = (a: Found, b: Found): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && a.min === b.min && a.max === b.max);

function sourcesIn(block: TypedBlock): ReadonlyMap<Variable, readonly Source[]> {
  const sources = new Map<Variable, Source[]>();
  const counters = new Set<Variable>();
  const assigned: { readonly variable: Variable; readonly source: Source }[] = [];
  const declare = (variable: Variable, source: Source): void => {
    if (variable.type.kind === 'int') sources.set(variable, [source]);
  };
  visitCode(
    { block },
    {
      stmt(stmt) {
        if (stmt.kind === 'let') declare(stmt.variable, rangeOf => rangeOf(stmt.value));
        else if (stmt.kind === 'count') {
          counters.add(stmt.variable);
          declare(stmt.variable, rangeOf => loopRange(rangeOf(stmt.from), rangeOf(stmt.to), stmt.isInclusive));
        } else if (stmt.kind === 'assign' && stmt.target.kind === 'variable') {
          const { target, op, value } = stmt;
          const source: Source =
            op === undefined
              ? rangeOf => rangeOf(value)
              : rangeOf => afterOperation(op, rangeOf(target), rangeOf(value));
          assigned.push({ variable: target.variable, source });
        }
      },
    },
  );
  // The next value of a loop follows from an assigned one.
  for (const { variable, source } of assigned)
    sources.get(variable)?.push(counters.has(variable) ? () => undefined : source);
  return sources;
}

function loopRange(from: Found, to: Found, isInclusive: boolean): Found {
  if (from === EMPTY || to === EMPTY) return EMPTY;
  return from && counted(from, to, isInclusive);
}

function afterOperation(op: Arithmetic, a: Found, b: Found): Found {
  if (a === EMPTY || b === EMPTY) return EMPTY;
  return rangeAfter(op, a, b);
}

const isArithmetic = (op: string): op is Arithmetic => /^[-+*/%]$/.test(op);

function rangeOfValue(ranges: ReadonlyMap<Variable, Found>, value: TypedValue): Found {
  const rangeOf = (one: TypedValue): Found => rangeOfValue(ranges, one);
  switch (value.kind) {
    case 'int': {
      const number = Number(value.value);
      return Number.isSafeInteger(number) ? exactly(number) : undefined;
    }
    case 'variable':
      return ranges.get(value.variable);
    case 'unary':
      return value.op === '-' && value.type.kind === 'int'
        ? afterOperation('-', exactly(0), rangeOf(value.operand))
        : undefined;
    case 'binary': {
      const { op, left, right } = value;
      if (left.type.kind !== 'int' || right.type.kind !== 'int' || !isArithmetic(op)) return undefined;
      return afterOperation(op, rangeOf(left), rangeOf(right));
    }
    case 'call-builtin-method': {
      const { kind } = value.receiver.type;
      return value.name === 'len' && (kind === 'string' || kind === 'list' || kind === 'bytes') ? LENGTHS : undefined;
    }
    default:
      return undefined;
  }
}
