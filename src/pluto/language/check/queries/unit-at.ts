import type { Span } from '../../syntax/ast/span.ts';
import type { ProgramFile } from '../program/program-file.ts';
import type { State } from '../units/state.ts';
import type { Unit } from '../units/unit.ts';

export const containsOffset = ({ start, end }: Span, offset: number): boolean => start <= offset && offset <= end;
export const spanLength = ({ start, end }: Span): number => end - start;

/** The smallest unit at an offset; for a generic declaration the uninstantiated one. */
export function unitAt(state: State, file: ProgramFile, offset: number): Unit | undefined {
  let found: Unit | undefined;
  const look = (unit: Unit): void => {
    if (
      containsOffset(unit.spec.node, offset) &&
      (found === undefined || spanLength(unit.spec.node) <= spanLength(found.spec.node))
    )
      found = unit;
  };
  for (const unit of state.unitsIn(file)) look(unit);
  for (const unit of state.extras.all) if (unit.spec.file === file && unit.spec.with === undefined) look(unit);
  return found;
}
