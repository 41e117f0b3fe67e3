import type { Type } from '../../../language/check/types/type.ts';
import { declaredIn, visitCode } from '../typed/children.ts';
import type { TypedBlock, TypedStmt, TypedValue, Variable } from '../typed/typed-form.ts';

const LEAVING: ReadonlySet<TypedStmt['kind']> = new Set(['break', 'continue', 'return', 'raise']);
const LISTS = new Set<Type['kind']>(['list', 'bytes']);
/** An extern may let other tasks run. */
const CALLS = new Set<TypedValue['kind']>(['call', 'call-method', 'call-closure', 'call-extern']);
const CHANGING = new Set(['push', 'pop', 'clear', 'insert_at', 'remove_at']);

/** The uses of lists in a loop. */
interface LoopLists {
  /** The list variables that it uses, but does not assign. */
  readonly used: ReadonlySet<Variable>;
  /** Whether it may change the length of a list. Two variables may have the same list, so which one does not matter. */
  readonly changesLengths: boolean;
  /** Whether each iteration runs to its end. */
  readonly alwaysCompletes: boolean;
}

export function loopLists(values: readonly TypedValue[], block: TypedBlock): LoopLists {
  const used = new Set<Variable>();
  const assigned = new Set<Variable>();
  let changesLengths = false;
  let alwaysCompletes = true;
  visitCode(
    { values, block },
    {
      value(value) {
        if (value.kind === 'variable' && LISTS.has(value.variable.type.kind)) used.add(value.variable);
        else if (CALLS.has(value.kind)) changesLengths = true;
        // Its invariants may call functions.
        else if (value.kind === 'object') changesLengths ||= value.of.invariants.length > 0;
        else if (value.kind === 'call-builtin-method') changesLengths ||= CHANGING.has(value.name);
      },
      stmt(stmt) {
        if (stmt.kind === 'assign' && stmt.target.kind === 'variable') assigned.add(stmt.target.variable);
        if (LEAVING.has(stmt.kind)) alwaysCompletes = false;
      },
    },
  );
  for (const variable of assigned) used.delete(variable);
  return { used, changesLengths, alwaysCompletes };
}

/** The lists to which each iteration of a loop appends one element; none if an iteration may end early. */
export function listsPushedEachIteration(block: TypedBlock): readonly Variable[] {
  const { used, alwaysCompletes } = loopLists([], block);
  if (!alwaysCompletes) return [];
  // A list that is declared in the loop is another one in each iteration.
  const inside = declaredIn(block);
  const pushed = new Set<Variable>();
  for (const stmt of block) {
    const call = stmt.kind === 'value' ? stmt.value : undefined;
    if (call?.kind !== 'call-builtin-method' || call.name !== 'push' || call.receiver.kind !== 'variable') continue;
    const { variable } = call.receiver;
    if (used.has(variable) && !inside.has(variable)) pushed.add(variable);
  }
  return Array.from(pushed);
}
