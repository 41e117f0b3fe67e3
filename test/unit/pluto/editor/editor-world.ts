import { nodeHasher as hasher } from '../../../../src/adapters/node/hasher.ts';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import type { FileRange, TextPosition } from '../../../../src/pluto/editor/answers.ts';
import {
  createPlutoLanguage,
  type DocumentPlace,
  type PlutoLanguage,
} from '../../../../src/pluto/editor/pluto-language.ts';
import { MemoryFileSystem } from '../../../harness/memory-file-system.ts';
import { sequentialRandom } from '../../../harness/sequential-random.ts';

export const path = (text: string): ProjectPath => text as ProjectPath;

/** A project in memory with its language service. */
export class EditorWorld {
  readonly disk: MemoryFileSystem;
  readonly language: PlutoLanguage;
  readonly #texts = new Map<string, string>();

  constructor(files: Readonly<Record<string, string | Uint8Array>>) {
    this.disk = new MemoryFileSystem(files);
    for (const [name, content] of Object.entries(files))
      if (typeof content === 'string') this.#texts.set(name, content);
    const ports = { files: this.disk, hasher, random: sequentialRandom() };
    this.language = createPlutoLanguage(ports, new AbortController().signal);
  }

  async type(name: string, text: string): Promise<void> {
    this.#texts.set(name, text);
    await this.language.setDocument({ path: path(name), text });
  }

  /** The position of `^` in a marked excerpt of a file. */
  at(name: string, marked: string): DocumentPlace {
    const offset = (this.#texts.get(name) ?? '').indexOf(marked.replace('^', '')) + marked.indexOf('^');
    return { path: path(name), at: this.#place(name, offset) };
  }

  #place(name: string, offset: number): TextPosition {
    const lines = (this.#texts.get(name) ?? '').slice(0, offset).split('\n');
    return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  }

  /** `file:line:character`, counted from 1, and the text there. */
  describe(found: readonly FileRange[]): readonly string[] {
    return found.map(({ file, range: { start, end } }) => {
      const line = (this.#texts.get(file.path) ?? '').split('\n')[start.line] ?? '';
      const kind = file.kind === 'text' ? '' : `(${file.kind})`;
      const place = `${file.path}:${start.line + 1}:${start.character + 1}`;
      return [place, line.slice(start.character, end.character), kind].filter(Boolean).join(' ');
    });
  }

  /** `file:line code` of the findings that changed since the last call. */
  async findings(): Promise<readonly string[]> {
    const changed = await this.language.changedFindings({});
    return changed.flatMap(({ file, findings }) =>
      findings.length === 0
        ? [`${file.path}: nothing`]
        : findings.map(({ range, code }) => `${file.path}:${range.start.line + 1} ${code}`),
    );
  }
}
