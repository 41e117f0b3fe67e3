import type { ProjectPath } from '../../../../base/brand.ts';
import type { DeclId } from '../../syntax/ast/node.ts';
import { eachItem } from '../../syntax/parts.ts';
import type { Span } from '../../syntax/ast/span.ts';
import type { TypeAt } from '../report/answers.ts';
import type { ProgramFile } from '../program/program-file.ts';
import type { State } from '../units/state.ts';
import { showType } from '../types/show.ts';
import type { Type } from '../types/type.ts';
import { type ItemIndex, declaredName } from './items.ts';
import { containsOffset, unitAt, spanLength } from './unit-at.ts';
import type { UseIndex } from './uses.ts';

/** The declared or used item at an offset, or else the smallest expression, with its type. */
export function typeAt(
  state: State,
  items: ItemIndex,
  uses: UseIndex,
  path: ProjectPath,
  offset: number,
): TypeAt | undefined {
  const file = state.program.files.get(path);
  if (file === undefined) return undefined;
  const declared = itemNamedAt(file, offset);
  if (declared !== undefined)
    return { span: declared.name, type: items.typeOf(declared.id) ?? '', target: declared.id, local: undefined };
  const use = uses.usesIn(path).find(({ name }) => containsOffset(name, offset));
  const expr = exprAt(state, file, offset);
  if (use !== undefined) {
    const type =
      items.typeOf(use.target) ??
      (expr !== undefined && spanLength(expr.span) <= spanLength(use.site) ? showType(expr.type) : '');
    return { span: use.name, type, target: use.target, local: undefined };
  }
  if (expr === undefined) return undefined;
  return { span: expr.span, type: showType(expr.type), target: undefined, local: expr.local };
}

/** The item whose declared name contains the offset. */
function itemNamedAt(file: ProgramFile, offset: number): { readonly id: DeclId; readonly name: Span } | undefined {
  let found: { readonly id: DeclId; readonly name: Span } | undefined;
  eachItem(file.items, item => {
    const name = declaredName(item);
    if (item.id === undefined || name === undefined || !containsOffset(name, offset)) return;
    found = { id: item.id, name: { start: name.start, end: name.end } };
  });
  return found;
}

interface ExprAt {
  readonly span: Span;
  readonly type: Type;
  readonly local: Span | undefined;
}

/** The smallest expression at an offset. Checks its unit again to observe the types. */
function exprAt(state: State, file: ProgramFile, offset: number): ExprAt | undefined {
  let found: ExprAt | undefined;
  unitAt(state, file, offset)?.spec.check({
    type(expr, type, local) {
      if (containsOffset(expr, offset) && (found === undefined || spanLength(expr) <= spanLength(found.span)))
        found = { span: { start: expr.start, end: expr.end }, type, local: local?.span };
    },
    typeArgs: () => undefined,
  });
  return found;
}
