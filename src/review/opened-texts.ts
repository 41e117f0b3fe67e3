import { AppError } from '../base/errors.ts';
import type { DiffHunk, DiffTexts } from '../ports/review-surface.ts';
import type { Direction } from '../protocol/sync.ts';
import { findHunks, mergeHunks } from './hunks.ts';

/** Both texts of a change as somebody looks at them, and what is decided of their parts. */
export class OpenedTexts {
  readonly disk: string;
  readonly studio: string;
  #hunks: readonly DiffHunk[];

  constructor(disk: string, studio: string) {
    this.disk = disk;
    this.studio = studio;
    this.#hunks = findHunks(disk, studio).map(hunk => ({ ...hunk, choice: null }));
  }

  /** `undefined` where one side has no text: there are no parts then. */
  static of({ disk, studio }: Pick<DiffTexts, 'disk' | 'studio'>): OpenedTexts | undefined {
    return disk === undefined || studio === undefined ? undefined : new OpenedTexts(disk.text, studio.text);
  }

  hunks(): readonly DiffHunk[] {
    return this.#hunks;
  }

  /** @throws AppError INVALID_INPUT when there is no such hunk */
  decide(index: number, choice: Direction): void {
    if (this.#hunks[index] === undefined) throw new AppError('INVALID_INPUT', { problems: 'that part is not there' });
    this.#hunks = this.#hunks.map((hunk, at) => (at === index ? { ...hunk, choice } : hunk));
  }

  /** What the parts make together: a choice for the whole, or a text of both sides; `undefined` while a part is open. */
  outcome(): Direction | { readonly text: string } | undefined {
    const decided = this.#hunks.flatMap(({ choice, ...hunk }) => (choice === null ? [] : [{ ...hunk, choice }]));
    if (decided.length < this.#hunks.length) return undefined;
    const first = decided[0]?.choice;
    if (first !== undefined && decided.every(({ choice }) => choice === first)) return first;
    return { text: mergeHunks(this.disk, this.studio, decided) };
  }
}
