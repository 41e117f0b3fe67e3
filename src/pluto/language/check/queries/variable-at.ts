import type { ProjectPath } from '../../../../base/brand.ts';
import type { Span } from '../../syntax/ast/span.ts';
import type { State } from '../units/state.ts';
import { containsOffset, unitAt } from './unit-at.ts';

/** All occurrences of the variable at an offset. Checks the unit again to observe its variables. */
export function variableAt(state: State, path: ProjectPath, offset: number): readonly Span[] {
  const file = state.program.files.get(path);
  const unit = file === undefined ? undefined : unitAt(state, file, offset);
  /** Occurrences by the offset of the declaration. */
  const occurrences = new Map<number, Map<number, Span>>();
  unit?.spec.check({
    type(expr, _type, local) {
      if (local === undefined || expr.kind !== 'IdentExpr') return;
      const known = occurrences.get(local.span.start) ?? new Map<number, Span>([[local.span.start, plain(local.span)]]);
      occurrences.set(local.span.start, known.set(expr.start, plain(expr)));
    },
    typeArgs: () => undefined,
  });
  for (const spans of occurrences.values()) {
    const all = Array.from(spans.values());
    if (all.some(span => containsOffset(span, offset))) return all.toSorted((a, b) => a.start - b.start);
  }
  return [];
}

const plain = ({ start, end }: Span): Span => ({ start, end });
