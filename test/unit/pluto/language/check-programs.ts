import { readdirSync, readFileSync } from 'node:fs';

/** One program of the corpus: its files, without the expected findings that the corpus lists in the text. */
export interface CheckedProgram {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** `file:line: code`, or `file:line:column: code` if the corpus gives the column, sorted. */
  readonly expected: readonly string[];
}

const folder = new URL('../../../fixtures/pluto/checked/', import.meta.url);

/**
 * Reads the programs in `*.programs`. Each starts with a line `=== name`. If a program has several files, each follows a line `--- path`.
 * `//! code code@column` at the end of a line lists the findings that are expected to start there.
 */
export function checkedPrograms(): readonly CheckedProgram[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.programs'))
    .flatMap(name => parsePrograms(readFileSync(new URL(name, folder), 'utf8')));
}

function parsePrograms(text: string): readonly CheckedProgram[] {
  return text
    .split(/^=== /m)
    .slice(1)
    .map(part => {
      const [name = '', ...rest] = part.split('\n');
      return { name, ...readFiles(rest.join('\n')) };
    });
}

export function readFiles(text: string): Omit<CheckedProgram, 'name'> {
  const pieces = text.split(/^--- (.*)\n/m);
  const [alone = ''] = pieces;
  const named = pieces.length === 1 ? ['main.pt', alone] : pieces.slice(1);
  const files: Record<string, string> = {};
  const expected: string[] = [];
  for (let index = 0; index < named.length; index += 2) {
    const path = named[index] ?? '';
    const lines = (named[index + 1] ?? '').split('\n');
    files[path] = lines
      .map((line, number) => {
        const [code = '', wanted] = line.split(/\s*\/\/! /);
        for (const word of wanted?.split(' ') ?? []) {
          const [finding, column] = word.split('@');
          expected.push(`${path}:${number + 1}${column === undefined ? '' : `:${column}`}: ${finding}`);
        }
        return code;
      })
      .join('\n');
  }
  return { files, expected: expected.toSorted() };
}
