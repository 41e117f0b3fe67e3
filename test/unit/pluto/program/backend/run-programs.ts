import { readdirSync, readFileSync } from 'node:fs';

/** One program of the corpus, with its expected outcome. */
export interface RunProgram {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly input: string;
  readonly expected: Expected;
}

export interface Expected {
  readonly out: string;
  readonly err: string;
  readonly exit: number;
  /** `title: passed`, or `title: reason of the failure`; `undefined` for a program that is run. */
  readonly tests: string | undefined;
  /** `file:line: code: message` of the findings that prevent it from running. */
  readonly refused: string;
}

const folder = new URL('../../../../fixtures/pluto/run/', import.meta.url);

/**
 * Reads the programs in `*.programs`. Each starts with a line `=== name`. Its files follow lines `--- path`; the first file is `main.pt` and
 * needs no such line. The expected outcome follows `--- out`, `--- err`, `--- exit`, `--- tests` and `--- refused`, the input `--- in`.
 */
export function runPrograms(): readonly RunProgram[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.programs'))
    .flatMap(name => readFileSync(new URL(name, folder), 'utf8').split(/^=== /m).slice(1))
    .map(parseProgram);
}

function parseProgram(text: string): RunProgram {
  const end = text.indexOf('\n');
  const [main = '', ...named] = text.slice(end + 1).split(/^--- (.*)\n/m);
  const parts = new Map<string, string>(main.trim() === '' ? [] : [['main.pt', main]]);
  for (let index = 0; index < named.length; index += 2) parts.set(named[index] ?? '', named[index + 1] ?? '');
  const part = (name: string): string => parts.get(name) ?? '';
  return {
    name: text.slice(0, end),
    files: Object.fromEntries(Array.from(parts).filter(([name]) => /\.\w+$/.test(name))),
    input: part('in'),
    expected: {
      out: part('out'),
      err: part('err'),
      exit: Number(part('exit')),
      tests: parts.get('tests'),
      refused: part('refused'),
    },
  };
}
