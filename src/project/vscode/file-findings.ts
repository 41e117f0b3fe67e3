import type { PausableWork } from '../../base/time-slice.ts';

/** The findings of an open document. */
export interface TextFindings<F> {
  /** Whether the document has unsaved edits. */
  readonly isDirty: boolean;
  readonly findings: readonly F[];
}

/**
 * Merges the findings of two sources for the Problems view without duplicates: the project, which reads saved files, and the check of the
 * open document. The open document wins while it has unsaved edits; otherwise the project, which finds more.
 */
export class ProjectFileFindings<F> {
  readonly #show: (file: string, findings: readonly F[]) => void;
  readonly #texts = new Map<string, TextFindings<F>>();
  #project: ReadonlyMap<string, readonly F[]> = new Map();

  /** @param show replaces the findings that are shown for a file */
  constructor(show: (file: string, findings: readonly F[]) => void) {
    this.#show = show;
  }

  /**
   * Replaces all findings of the project, by file. Shows each file with other findings than before, with a pause after it, because VS Code
   * informs every listener of each file.
   */
  *setProject(found: ReadonlyMap<string, readonly F[]>): PausableWork<void> {
    const before = this.#project;
    this.#project = found;
    for (const file of new Set([...before.keys(), ...found.keys()])) {
      if (isEqual(before.get(file), found.get(file))) continue;
      this.#show(file, this.#of(file));
      yield;
    }
  }

  /** Replaces the findings of an open document; `undefined` when it was closed. */
  setText(file: string, text: TextFindings<F> | undefined): void {
    if (text === undefined) this.#texts.delete(file);
    else this.#texts.set(file, text);
    this.#show(file, this.#of(file));
  }

  #of(file: string): readonly F[] {
    const text = this.#texts.get(file);
    if (text?.isDirty) return text.findings;
    return this.#project.get(file) ?? text?.findings ?? [];
  }
}

const isEqual = (a: readonly unknown[] | undefined, b: readonly unknown[] | undefined): boolean =>
  a?.length === b?.length && (a ?? []).every((item, index) => item === b?.[index]);
