import type { BinaryOp, Variable } from '../typed/typed-form.ts';
import {
  type Arithmetic,
  bitwiseRange,
  exactly,
  type IntRange,
  rangeAfter,
  rangedOperation,
} from '../typed/int-range.ts';

/** The code of a value. */
export interface ValueCode {
  readonly code: string;
  /** Bounds of an int that is always a number; literals need none. */
  readonly range?: IntRange | undefined;
  /** The operations of an int, if the code is a call of the function that computes them. */
  readonly formula?: Formula | undefined;
}

/** Operations on compact ints that one function computes. */
export interface Formula {
  /** The arguments of the function, in the order of evaluation. Literals are in its text. */
  readonly inputs: readonly ValueCode[];
  readonly steps: readonly Step[];
}

interface Step {
  readonly op: Arithmetic;
  readonly left: Operand;
  readonly right: Operand;
}

type Operand =
  | { readonly kind: 'input' | 'step'; readonly index: number }
  | { readonly kind: 'literal'; readonly code: string };

/** Defines the operations on ints. No name of a program starts with two dollar signs. */
export const INT_OPERATIONS =
  'const { add: $$add, sub: $$sub, mul: $$mul, div: $$div, rem: $$rem, and: $$and, or: $$or, xor: $$xor, shl: $$shl, shr: $$shr, not: $$not, wide: $$wide, compact: $$compact, ofFloat: $$ofFloat, next: $$next, end: $$end, text: $$text } = $rt.ints;';

export const plainCode = (code: string, range?: IntRange): ValueCode => ({ code, range });

export const isLiteral = ({ code }: Pick<ValueCode, 'code'>): boolean => /^-?\d+$/.test(code);

/** Bounds of an int that is always a number; `undefined` for any other. */
export const rangeOf = (value: ValueCode): IntRange | undefined =>
  isLiteral(value) ? exactly(Number(value.code)) : value.range;

/** A number if it is a safe integer, else a bigint. */
export const intLiteral = (value: bigint): string =>
  Number.isSafeInteger(Number(value)) ? String(value) : value < 0n ? `(${value}n)` : `${value}n`;

/** The value of a variable that is always the same int, so that it is part of the code. */
export const constantOf = ({ isAssigned, range }: Variable): number | undefined =>
  !isAssigned && range !== undefined && range.min === range.max ? range.min : undefined;

const NAMES: Readonly<Record<Arithmetic, string>> = {
  '+': '$$add',
  '-': '$$sub',
  '*': '$$mul',
  '/': '$$div',
  '%': '$$rem',
};
const isArithmetic = (op: BinaryOp): op is Arithmetic => op in NAMES;

const isDivision = (op: Arithmetic): boolean => op === '/' || op === '%';

/** Engines inline only so much. */
const MAX_INPUTS = 3;
const MAX_STEPS = 3;

/** A formula, and the operand that is its result. */
interface Part extends Formula {
  readonly result: Operand;
}

const leaf = (value: ValueCode): Part =>
  isLiteral(value)
    ? { inputs: [], steps: [], result: { kind: 'literal', code: value.code } }
    : { inputs: [value], steps: [], result: { kind: 'input', index: 0 } };

/** Operations that cannot raise, so that they may run after the operands that follow them. */
const mayRunLater = ({ steps }: Formula): boolean =>
  steps.every(({ op, right }) => !isDivision(op) || (right.kind === 'literal' && Number(right.code) !== 0));

const partOf = (value: ValueCode): Part =>
  value.formula !== undefined && mayRunLater(value.formula)
    ? { ...value.formula, result: { kind: 'step', index: value.formula.steps.length - 1 } }
    : leaf(value);

function joined(op: Arithmetic, left: Part, right: Part): Formula {
  const moved = (operand: Operand): Operand => {
    if (operand.kind === 'literal') return operand;
    const before = operand.kind === 'input' ? left.inputs : left.steps;
    return { ...operand, index: operand.index + before.length };
  };
  const steps = right.steps.map(step => ({ ...step, left: moved(step.left), right: moved(step.right) }));
  const last = { op, left: left.result, right: moved(right.result) };
  return { inputs: [...left.inputs, ...right.inputs], steps: [...left.steps, ...steps, last] };
}

/** The operation together with those of its operands, as far as one function may compute them. */
function formulaOf(op: Arithmetic, a: ValueCode, b: ValueCode): Formula {
  const whole = joined(op, partOf(a), isDivision(op) ? leaf(b) : partOf(b));
  return whole.inputs.length <= MAX_INPUTS && whole.steps.length <= MAX_STEPS ? whole : joined(op, leaf(a), leaf(b));
}

/**
 * Defines a function for the operations at one place of the program. Engines optimize a function for the values of all its callers, so a
 * shared function would be as slow for small ints as for large ones. The text is short, because engines inline only so much.
 *
 * @param index different for each place
 * @param isSum whether results are often beyond 32 bits, so that comparing them as such first would cost time
 */
export function operationAt(
  { inputs, steps }: Formula,
  index: number,
  isSum: boolean,
): { readonly name: string; readonly text: string } {
  const last = steps.at(-1);
  const name = `${last === undefined ? '' : NAMES[last.op]}${index}`;
  const nameOf = (operand: Operand): string => {
    if (operand.kind === 'literal') return operand.code.startsWith('-') ? `(${operand.code})` : operand.code;
    return (operand.kind === 'input' ? 'abc' : 'rst').charAt(operand.index);
  };
  const resultOf = ({ op, left, right }: Step): string => {
    const [a, b] = [nameOf(left), nameOf(right)];
    // Adding 0 turns -0 into 0.
    if (isDivision(op)) return `${op === '/' ? `Math.trunc(${a} / ${b})` : `(${a} % ${b})`} + 0`;
    return `${a} ${op} ${b}${op === '*' ? ' + 0' : ''}`;
  };
  const tests = inputs.flatMap((input, at) =>
    rangeOf(input) === undefined ? [`typeof ${nameOf({ kind: 'input', index: at })} === "number"`] : [],
  );
  for (const { op, right } of steps) {
    const range =
      right.kind === 'literal'
        ? exactly(Number(right.code))
        : right.kind === 'input'
          ? rangeOfInput(inputs[right.index])
          : undefined;
    if (isDivision(op) && (range === undefined || (range.min <= 0 && range.max >= 0)))
      tests.push(`${nameOf(right)} !== 0`);
  }
  // The remainder of safe ints is safe; other results of known numbers may not be.
  const results = steps.map((step, at) => ({ step, name: nameOf({ kind: 'step', index: at }) }));
  const unsafe = results.filter(({ step }) => !isDivision(step.op)).map(one => one.name);
  const declared = last !== undefined && isDivision(last.op) ? results.slice(0, -1) : results;
  const returned = last !== undefined && isDivision(last.op) ? resultOf(last) : (results.at(-1)?.name ?? '0');
  const isInt = unsafe.map(one => `(${one} | 0) === ${one}`).join(' && ');
  const isSafe = unsafe.map(one => `${one} <= ${MAX} && ${one} >= -${MAX}`).join(' && ');
  const isExact = isSum ? isSafe : `${unsafe.length > 1 ? `(${isInt})` : isInt} || (${isSafe})`;
  const end = `${unsafe.length === 0 ? '' : `if (${isExact}) `}return ${returned};`;
  const constants = declared.map(one => `${one.name} = ${resultOf(one.step)}`).join(', ');
  const fast = constants === '' ? end : `{ const ${constants}; ${end} }`;
  const slowOf = (operand: Operand): string => {
    const step = operand.kind === 'step' ? steps[operand.index] : undefined;
    return step === undefined ? nameOf(operand) : `${NAMES[step.op]}(${slowOf(step.left)}, ${slowOf(step.right)})`;
  };
  const slow = slowOf({ kind: 'step', index: steps.length - 1 });
  const isFast = tests.length === 0 ? '' : `if (${tests.join(' && ')}) `;
  const parameters = inputs.map((_, at) => nameOf({ kind: 'input', index: at })).join(', ');
  return { name, text: `function ${name}(${parameters}) { ${isFast}${fast} return ${slow}; }` };
}
const rangeOfInput = (input: ValueCode | undefined): IntRange | undefined => input && rangeOf(input);
const MAX = Number.MAX_SAFE_INTEGER;

const COMPARISONS: Readonly<Partial<Record<BinaryOp, string>>> = {
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '==': '===',
  '!=': '!==',
};

const BITWISE: Readonly<Partial<Record<BinaryOp, string>>> = {
  '&': '$$and',
  '|': '$$or',
  '^': '$$xor',
  '<<': '$$shl',
  '>>': '$$shr',
};

/**
 * An operator on two ints.
 *
 * @param operation defines an operation for this place, and gives its name
 */
export function intBinary(
  op: BinaryOp,
  a: ValueCode,
  b: ValueCode,
  operation: (formula: Formula) => string,
): ValueCode {
  const comparison = COMPARISONS[op];
  if (comparison !== undefined) return plainCode(`(${a.code} ${comparison} ${b.code})`);
  const [rangeOfA, rangeOfB] = [rangeOf(a), rangeOf(b)];
  if (!isArithmetic(op))
    return plainCode(`${BITWISE[op] ?? ''}(${a.code}, ${b.code})`, bitwiseRange(op, rangeOfA, rangeOfB));
  if (rangeOfA !== undefined && rangeOfB !== undefined) {
    const known = rangedOperation(op, { code: a.code, range: rangeOfA }, { code: b.code, range: rangeOfB });
    if (known !== undefined) return plainCode(known.code, known.range);
  }
  const formula = formulaOf(op, a, b);
  const code = `${operation(formula)}(${formula.inputs.map(input => input.code).join(', ')})`;
  return { code, range: rangeAfter(op, rangeOfA, rangeOfB), formula };
}
