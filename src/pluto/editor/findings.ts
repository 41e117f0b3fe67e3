import type { FileDiagnostic } from '../language/check/report/answers.ts';
import type { EditorFinding, FileFindings } from './answers.ts';
import type { EditorModules } from './editor-modules.ts';
import { rangeOf } from './places.ts';

const START = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };

interface ReportedFinding {
  readonly file: FileFindings['file'];
  /** Objects that change with every change of a finding. */
  readonly found: readonly FileDiagnostic[];
}

/** Reports the findings of the project, and afterwards only their changes. */
export class Findings {
  readonly #modules: EditorModules;
  /** The last reported findings of files that had any. */
  #reported: ReadonlyMap<string, ReportedFinding> = new Map();

  constructor(modules: EditorModules) {
    this.#modules = modules;
  }

  /** Every file whose findings have changed since the last call. */
  changed(): readonly FileFindings[] {
    const reported = new Map<string, ReportedFinding>();
    const changed: FileFindings[] = [];
    for (const [path, found] of Map.groupBy(this.#modules.checker.check(), finding => finding.file)) {
      const file = this.#modules.shownFile(path);
      const key = `${file.kind} ${file.path}`;
      reported.set(key, { file, found });
      if (!isSame(this.#reported.get(key)?.found, found))
        changed.push({ file, findings: this.#findingsOf(path, found) });
    }
    for (const [key, { file }] of this.#reported) if (!reported.has(key)) changed.push({ file, findings: [] });
    this.#reported = reported;
    return changed;
  }

  #findingsOf(path: FileDiagnostic['file'], found: readonly FileDiagnostic[]): readonly EditorFinding[] {
    const state = this.#modules.state(path);
    return found.map(({ severity, code, message, span }) => {
      // A finding about a manifest or a whole file is at its start.
      const range = state?.kind === 'loaded' ? rangeOf(state.module, span) : START;
      return { severity, code, message, range };
    });
  }
}

const isSame = (a: readonly object[] | undefined, b: readonly object[]): boolean =>
  a?.length === b.length && a.every((one, index) => one === b[index]);
