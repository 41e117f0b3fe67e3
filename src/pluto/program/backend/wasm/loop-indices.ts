import { declaredIn, visitCode } from '../typed/children.ts';
import type { CountStmt, IndexValue, TypedValue, Variable } from '../typed/typed-form.ts';

/** The facts about indices in a loop that can be proved when it starts. */
export interface LoopIndices {
  /** Reads and writes of lists by these indices, each list variable with its different indices. */
  readonly uses: readonly IndexValue[];
  readonly indices: readonly { readonly list: Variable; readonly index: TypedValue }[];
  /** The int variables in the indices that the loop does not change. */
  readonly constants: ReadonlySet<Variable>;
}

/** Variables in indices are at least 0 and below this when the indices are proven. */
export const MAX_VARIABLE_BITS = 31n;
const MAX_VARIABLE = 2 ** Number(MAX_VARIABLE_BITS);
/** Values in an index stay below this, so that its arithmetic does not wrap. */
const MAX_VALUE = 2 ** 63;
/** More proofs would take longer than short loops. */
const MAX_INDICES = 6;

interface Linear {
  /** Of the variable of the loop. */
  readonly degree: number;
  /** No value is beyond this. */
  readonly bound: number;
  readonly text: string;
}

/**
 * Finds the indices in an innermost loop that grow or fall evenly with its variable: `i`, `i + 1`, `row * width + i`, … If the first and
 * the last of them are inside a list, so are all between them.
 *
 * @param lists variables of lists whose lengths the loop does not change
 */
export function loopIndices(loop: CountStmt, lists: ReadonlySet<Variable>): LoopIndices | undefined {
  const changed = new Set(declaredIn(loop.body));
  const found: IndexValue[] = [];
  let hasLoop = false;
  visitCode(
    { block: loop.body },
    {
      value(value) {
        if (value.kind === 'index') found.push(value);
      },
      stmt(stmt) {
        if (stmt.kind === 'while' || stmt.kind === 'count' || stmt.kind === 'each') hasLoop = true;
        if (stmt.kind === 'assign' && stmt.target.kind === 'variable') changed.add(stmt.target.variable);
      },
    },
  );
  if (hasLoop) return undefined;
  const constants = new Set<Variable>();
  const uses: IndexValue[] = [];
  const indices = new Map<string, LoopIndices['indices'][number]>();
  for (const use of found) {
    const { object, index } = use;
    if (object.kind !== 'variable' || !lists.has(object.variable) || changed.has(object.variable)) continue;
    const linear = linearIn(loop.variable, changed, index);
    if (linear === undefined) continue;
    indices.set(`${object.variable.name}[${linear.text}]`, { list: object.variable, index });
    uses.push(use);
    visitCode(
      { values: [index] },
      {
        value(value) {
          if (value.kind === 'variable' && value.variable !== loop.variable) constants.add(value.variable);
        },
      },
    );
  }
  if (uses.length === 0 || indices.size > MAX_INDICES) return undefined;
  return { uses, indices: Array.from(indices.values()), constants };
}

/** @returns `undefined` unless the value is linear in the variable, and cannot wrap */
function linearIn(variable: Variable, changed: ReadonlySet<Variable>, value: TypedValue): Linear | undefined {
  const linear = linearOf(variable, changed, value);
  return linear !== undefined && linear.degree <= 1 && linear.bound < MAX_VALUE ? linear : undefined;
}

function linearOf(variable: Variable, changed: ReadonlySet<Variable>, value: TypedValue): Linear | undefined {
  if (value.kind === 'int') return { degree: 0, bound: Math.abs(Number(value.value)), text: String(value.value) };
  if (value.kind === 'variable') {
    if (changed.has(value.variable)) return undefined;
    return { degree: value.variable === variable ? 1 : 0, bound: MAX_VARIABLE, text: value.variable.name };
  }
  if (value.kind !== 'binary' || (value.op !== '+' && value.op !== '-' && value.op !== '*')) return undefined;
  const left = linearIn(variable, changed, value.left);
  const right = linearIn(variable, changed, value.right);
  if (left === undefined || right === undefined) return undefined;
  const text = `(${left.text} ${value.op} ${right.text})`;
  return value.op === '*'
    ? { degree: left.degree + right.degree, bound: left.bound * right.bound, text }
    : { degree: Math.max(left.degree, right.degree), bound: left.bound + right.bound, text };
}
