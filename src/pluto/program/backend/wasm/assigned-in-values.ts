import { type ChildVisitor, eachChildOfStmt, eachChildOfValue } from '../typed/children.ts';
import type { TypedBlock, Variable } from '../typed/typed-form.ts';

/** Finds the variables that statements inside of values, which are handlers and branches, assign to. */
export function assignedInValues(block: TypedBlock): ReadonlySet<Variable> {
  const assigned = new Set<Variable>();
  const insideValue: ChildVisitor = {
    value: value => eachChildOfValue(value, insideValue),
    stmt(stmt) {
      if (stmt.kind === 'assign' && stmt.target.kind === 'variable') assigned.add(stmt.target.variable);
      eachChildOfStmt(stmt, insideValue);
    },
  };
  const outside: ChildVisitor = {
    value: value => insideValue.value(value),
    stmt: stmt => eachChildOfStmt(stmt, outside),
  };
  for (const stmt of block) outside.stmt(stmt);
  return assigned;
}
