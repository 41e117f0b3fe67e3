import type { ProjectPath } from '../../../../base/brand.ts';
import type { TextEdit } from '../../edit/text-edit.ts';
import type { DeclId } from '../../syntax/ast/node.ts';
import type { Span } from '../../syntax/ast/span.ts';
import type { ProgramFile } from '../program/program-file.ts';
import { ambientName } from '../program/signatures.ts';
import type { State } from '../units/state.ts';
import { renamedField } from './binding-edits.ts';
import { type ItemIndex, declaredName } from './items.ts';
import { overrideFamilyOf } from './override-family.ts';
import { variableAt } from './variable-at.ts';
import type { UseIndex } from './uses.ts';

/** The edits that rename an item, by file. */
export function renameEdits(
  state: State,
  items: ItemIndex,
  uses: UseIndex,
  id: DeclId,
  name: string,
): ReadonlyMap<ProjectPath, readonly TextEdit[]> {
  const all = overrideFamilyOf(state, items, id);
  const edits = new Map<ProgramFile, Map<number, TextEdit>>();
  const putEdit = (file: ProgramFile, edit: TextEdit): void => {
    const known = edits.get(file) ?? new Map<number, TextEdit>();
    edits.set(file, known.set(edit.span.start, edit));
  };
  const put = (file: ProgramFile, { start, end }: Span, text: string): void =>
    putEdit(file, { span: { start, end }, text });
  for (const one of all) {
    const found = items.get(one);
    const own = found === undefined ? undefined : declaredName(found.item);
    if (found === undefined || own === undefined || found.file.isEmbedded) return new Map();
    put(found.file, own, name);
    if (found.item.kind === 'Param')
      for (const span of variableAt(state, found.file.path, own.start)) put(found.file, span, name);
    for (const { file: path, use } of uses.table().usesOf(one)) {
      const file = state.program.files.get(path);
      if (file === undefined) continue;
      if (use.kind === 'binding') putEdit(file, renamedField(file.text, use, name));
      else put(file, use.name, name);
    }
  }
  for (const { file, start, end } of ambientUses(state, all)) put(file, { start, end }, ambientName(name));
  const sorted = Array.from(edits).toSorted(([a], [b]) => (a.path < b.path ? -1 : 1));
  return new Map(
    sorted.map(([file, list]) => [
      file.path,
      Array.from(list.values()).toSorted((a, b) => a.span.start - b.span.start),
    ]),
  );
}

/** Uses of ambient dependencies, whose variables are named after their classes. */
function* ambientUses(state: State, ids: readonly DeclId[]) {
  for (const file of state.program.files.values())
    for (const { result, shift } of state.unitsIn(file))
      for (const { target, start, end } of result?.ambients ?? [])
        if (ids.includes(target)) yield { file, start: start + shift, end: end + shift };
}
