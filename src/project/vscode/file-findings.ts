/** The findings of an open document. */
export interface TextFindings<F> {
  /** Whether it has edits that are not saved. */
  readonly isDirty: boolean;
  readonly findings: readonly F[];
}

/**
 * What the Problems view says of a file that two look at: the project, which reads what is saved, and the check of the open document's
 * text. Edits that are not saved only the second knows; of what is saved the project knows more. So nothing is said twice.
 */
export class FileFindings<F> {
  readonly #show: (file: string, findings: readonly F[]) => void;
  readonly #texts = new Map<string, TextFindings<F>>();
  #project: ReadonlyMap<string, readonly F[]> = new Map();

  /** @param show replaces what is shown of a file */
  constructor(show: (file: string, findings: readonly F[]) => void) {
    this.#show = show;
  }

  /** All findings of the project, by file. */
  setProject(found: ReadonlyMap<string, readonly F[]>): void {
    const files = new Set([...this.#project.keys(), ...found.keys()]);
    this.#project = found;
    for (const file of files) this.#show(file, this.#of(file));
  }

  /** `undefined`: the document was closed. */
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
