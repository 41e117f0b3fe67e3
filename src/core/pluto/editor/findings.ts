import type { ProjectPath } from '../../../base/brand.ts';
import type { Diagnostic } from '../syntax/ast/diagnostic.ts';
import type { ModuleState } from '../project/load-module.ts';
import type { EditorFinding, FileFindings } from './answers.ts';
import type { EditorModules } from './editor-modules.ts';
import { rangeOf } from './places.ts';

const START = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };

interface Told {
  readonly file: FileFindings['file'];
  readonly found: unknown;
}

/** Tells what is found in the project, and after that only what is found otherwise. */
export class Findings {
  readonly #modules: EditorModules;
  /** What was told last, by the file that was shown; a list is another object when it may be another list. */
  #told = new Map<string, Told>();

  constructor(modules: EditorModules) {
    this.#modules = modules;
  }

  /** Every file whose findings are others than when this was last asked. */
  changed(): readonly FileFindings[] {
    const told = new Map<string, Told>();
    const changed: FileFindings[] = [];
    const tell = (path: ProjectPath, found: unknown, findings: () => readonly EditorFinding[]): void => {
      const file = this.#modules.shownFile(path);
      const key = `${file.kind} ${file.path}`;
      const before = this.#told.get(key);
      const hasAny = Array.isArray(found) ? found.length > 0 : true;
      if (hasAny) told.set(key, { file, found });
      if (before?.found !== found && (hasAny || before !== undefined)) changed.push({ file, findings: findings() });
      this.#told.delete(key);
    };
    for (const [path, problem] of this.#modules.project.manifestProblems)
      tell(path, problem, () => [finding('error', 'manifest-invalid', problem)]);
    for (const state of this.#modules.project.loaded) {
      const found = state.kind === 'loaded' ? this.#modules.checker.diagnosticsOf(state.path) : state;
      tell(state.path, found, () => findingsOf(state, Array.isArray(found) ? found : []));
    }
    for (const { file } of this.#told.values()) changed.push({ file, findings: [] });
    this.#told = told;
    return changed;
  }
}

function findingsOf(state: ModuleState, found: readonly Diagnostic[]): readonly EditorFinding[] {
  if (state.kind === 'unreadable')
    return [finding('error', state.problem.code, `This container cannot be read: ${state.problem.reason}`)];
  return found.map(({ severity, code, message, span }) => ({
    severity,
    code,
    message,
    range: rangeOf(state.module, span),
  }));
}

const finding = (severity: EditorFinding['severity'], code: string, message: string): EditorFinding => ({
  severity,
  code,
  message,
  range: START,
});
