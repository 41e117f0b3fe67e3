import { renamedVariable, variableOf } from '../language/check/queries/binding-edits.ts';
import type { TextEdit } from '../language/edit/text-edit.ts';
import type { LoadedModule } from '../language/modules/load-module.ts';
import type { Span } from '../language/syntax/ast/span.ts';
import { isIdentifier } from '../language/syntax/token.ts';
import type { RenameAnswer, RenameTarget } from './answers.ts';
import type { EditorModules } from './editor-modules.ts';
import { rangeOf } from './places.ts';
import { targetAt } from './targets.ts';

/** The name at a position, if it can be renamed. */
export function renameTargetAt(modules: EditorModules, module: LoadedModule, offset: number): RenameTarget | undefined {
  const target = targetAt(modules, module, offset);
  if (target === undefined || target.kind === 'module') return undefined;
  const name = module.module.text.slice(target.name.start, target.name.end);
  // The title of a test is not a name, and a module is named by its file.
  return isIdentifier(name) ? { range: rangeOf(module.module, target.name), name } : undefined;
}

/** The edits in all files that rename the symbol at a position. */
export function renameAt(modules: EditorModules, module: LoadedModule, offset: number, name: string): RenameAnswer {
  if (!isIdentifier(name))
    return {
      ok: false,
      reason: `'${name}' is not a valid name: start with a letter or _, use only letters, digits and _, and no keyword`,
    };
  const target = targetAt(modules, module, offset);
  if (target === undefined || target.kind === 'module') return { ok: false, reason: 'there is no name to rename here' };
  if (target.kind === 'variable') {
    const edits = variableEdits(modules, module, target.places, name);
    const shown = edits.map(({ span, text }) => ({ range: rangeOf(module.module, span), text }));
    return { ok: true, edits: [{ file: modules.shownFile(module.path), edits: shown }] };
  }
  const found = Array.from(modules.checker.renameEdits(target.id, name));
  if (found.length === 0) return { ok: false, reason: 'names of the standard library cannot be changed' };
  return {
    ok: true,
    edits: found.flatMap(([path, edits]) => {
      const changed = modules.module(path);
      if (changed === undefined) return [];
      const list = edits.map(({ span, text }) => ({ range: rangeOf(changed.module, span), text }));
      return [{ file: modules.shownFile(path), edits: list }];
    }),
  };
}

function variableEdits(
  { checker }: EditorModules,
  { path, module: { text } }: LoadedModule,
  places: readonly Span[],
  name: string,
): readonly TextEdit[] {
  const bindings = new Map(
    checker
      .usesIn(path)
      .filter(({ kind }) => kind === 'binding')
      .map(use => [variableOf(text, use.site).start, use]),
  );
  return places.map(span => {
    const binding = bindings.get(span.start);
    return binding === undefined ? { span, text: name } : renamedVariable(text, binding, name);
  });
}
