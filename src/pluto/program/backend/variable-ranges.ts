import type { Block, Expr, Stmt } from '../../language/syntax/ast/code.ts';
import { withoutParens } from '../../language/syntax/ast/code.ts';
import { eachChildOfExpr, eachChildOfStmt } from '../../language/syntax/children.ts';
import type { BodyFacts } from './body-facts.ts';
import { literalValue } from './literal-value.ts';
import { type Arithmetic, counted, exactly, type IntRange, LENGTHS, rangeAfter } from './ranges.ts';

/** Rounds after which a range that still grows is given up. */
const MAX_ROUNDS = 4;

/** `EMPTY`: no value is known yet. `undefined`: any int. */
type Found = IntRange | typeof EMPTY | undefined;
const EMPTY = 'empty';

/** What gives a variable a value: an initial value, an assignment, or the ends of a loop. */
type Source = (rangeOf: (expr: Expr) => Found) => Found;

/**
 * Finds the bounds of the int variables of a body, from everything that is assigned to each of them: initial values, assignments, and ends
 * of loops. Parameters, and variables that are assigned a value of unknown bounds, have none.
 *
 * @returns bounds by the offset of the declaration. All are safe integers
 */
export function variableRanges(facts: BodyFacts, block: Block): ReadonlyMap<number, IntRange> {
  const sources = sourcesIn(facts, block);
  const ranges = new Map<number, Found>(Array.from(sources.keys(), start => [start, EMPTY]));
  const rangeOf = (expr: Expr): Found => rangeOfExpr(facts, ranges, expr);
  // Each later round gives up at least one variable.
  for (let round = 0, hasChanged = true; hasChanged; round += 1) {
    hasChanged = false;
    for (const [start, all] of sources) {
      const before = ranges.get(start);
      if (before === undefined) continue;
      const found = all.map(source => source(rangeOf)).reduce(united, before);
      if (isSame(found, before)) continue;
      ranges.set(start, round < MAX_ROUNDS ? found : undefined);
      hasChanged = true;
    }
  }
  const known = new Map<number, IntRange>();
  for (const [start, range] of ranges) if (range !== undefined && range !== EMPTY) known.set(start, range);
  return known;
}

function united(a: Found, b: Found): Found {
  if (a === EMPTY || b === undefined) return b;
  if (b === EMPTY || a === undefined) return a;
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

const isSame = (a: Found, b: Found): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && a.min === b.min && a.max === b.max);

function sourcesIn(facts: BodyFacts, block: Block): ReadonlyMap<number, readonly Source[]> {
  const sources = new Map<number, Source[]>();
  const counters = new Set<number>();
  /** Uses of variables that are assigned to. */
  const assigned: { readonly use: number; readonly source: Source }[] = [];
  const visitor = { expr: onExpr, block: onBlock, type: () => undefined };
  function onBlock({ stmts }: Block): void {
    stmts.forEach(onStmt);
  }
  function onExpr(expr: Expr): void {
    eachChildOfExpr(expr, visitor);
  }
  function declare(start: number, source: Source): void {
    if (facts.localAt(start)?.type.kind === 'int') sources.set(start, [source]);
  }
  function onStmt(stmt: Stmt): void {
    if (stmt.kind === 'LetStmt') declare(stmt.name.start, rangeOf => rangeOf(stmt.value));
    else if (stmt.kind === 'ForStmt') {
      const over = withoutParens(stmt.iterable);
      counters.add(stmt.name.start);
      if (over.kind === 'RangeExpr')
        declare(stmt.name.start, rangeOf => loopRange(rangeOf(over.from), rangeOf(over.to), over.isInclusive));
    } else if (stmt.kind === 'AssignStmt' || stmt.kind === 'StepStmt') {
      const target = withoutParens(stmt.target);
      if (target.kind === 'IdentExpr') assigned.push({ use: target.start, source: assignedRange(stmt, target) });
    }
    eachChildOfStmt(stmt, visitor, onStmt);
  }
  onBlock(block);
  for (const { use, source } of assigned) {
    const start = facts.localAt(use)?.span.start ?? -1;
    // The next value of a loop follows from the assigned one.
    sources.get(start)?.push(counters.has(start) ? () => undefined : source);
  }
  return sources;
}

function assignedRange(stmt: Extract<Stmt, { readonly kind: 'AssignStmt' | 'StepStmt' }>, target: Expr): Source {
  if (stmt.kind === 'StepStmt')
    return rangeOf => afterOperation(stmt.op === '++' ? '+' : '-', rangeOf(target), exactly(1));
  const { op, value } = stmt;
  if (op === '=') return rangeOf => rangeOf(value);
  return rangeOf => afterOperation(op.slice(0, 1), rangeOf(target), rangeOf(value));
}

function loopRange(from: Found, to: Found, isInclusive: boolean): Found {
  if (from === EMPTY || to === EMPTY) return EMPTY;
  return from && counted(from, to, isInclusive);
}

function afterOperation(op: string, a: Found, b: Found): Found {
  if (!isArithmetic(op)) return undefined;
  if (a === EMPTY || b === EMPTY) return EMPTY;
  return rangeAfter(op, a, b);
}

const isArithmetic = (op: string): op is Arithmetic => /^[-+*/%]$/.test(op);

function rangeOfExpr(facts: BodyFacts, ranges: ReadonlyMap<number, Found>, expr: Expr): Found {
  const rangeOf = (one: Expr): Found => rangeOfExpr(facts, ranges, one);
  switch (expr.kind) {
    case 'IntExpr': {
      const value = Number(literalValue(expr.raw));
      return Number.isSafeInteger(value) ? exactly(value) : undefined;
    }
    case 'ParenExpr':
      return rangeOf(expr.inner);
    case 'IdentExpr':
      return ranges.get(facts.localAt(expr.start)?.span.start ?? -1);
    case 'UnaryExpr':
      return expr.op === '-' ? afterOperation('-', exactly(0), rangeOf(expr.operand)) : undefined;
    case 'BinaryExpr':
      if (facts.typeOf(expr.left).kind !== 'int' || facts.typeOf(expr.right).kind !== 'int') return undefined;
      return afterOperation(expr.op, rangeOf(expr.left), rangeOf(expr.right));
    case 'MethodCallExpr': {
      const { kind } = facts.typeOf(withoutParens(expr.object));
      return expr.name.text === 'len' && (kind === 'string' || kind === 'list' || kind === 'bytes')
        ? LENGTHS
        : undefined;
    }
    default:
      return undefined;
  }
}
