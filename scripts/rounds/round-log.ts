import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';

/** One run of a test file. `round` counts from 1; `failures` are names of tests. */
const Round = z.object({ file: z.string(), round: z.int(), seed: z.int(), failures: z.array(z.string()).readonly() });
export type Round = z.infer<typeof Round>;

/** The recorded rounds: a file with one line of JSON for each, so that an interrupted run loses only the round in progress. */
export class RoundLog {
  readonly #path: string;
  readonly #rounds: Round[];

  constructor(path: string) {
    this.#path = path;
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    this.#rounds = text
      .split('\n')
      .filter(line => line !== '')
      .map(line => Round.parse(JSON.parse(line)));
  }

  /**
   * The next round: every file is run once before one is run twice. `undefined` when each had `rounds`.
   * @param running files that are run now, which are left out
   */
  next(
    files: readonly string[],
    rounds: number,
    running: ReadonlySet<string> = new Set(),
  ): Pick<Round, 'file' | 'round'> | undefined {
    const played = files
      .filter(file => !running.has(file))
      .map(file => ({ file, count: this.#rounds.filter(round => round.file === file).length }));
    const [least] = played.toSorted((a, b) => a.count - b.count);
    return least === undefined || least.count >= rounds ? undefined : { file: least.file, round: least.count + 1 };
  }

  add(round: Round): void {
    mkdirSync(dirname(this.#path), { recursive: true });
    appendFileSync(this.#path, `${JSON.stringify(round)}\n`);
    this.#rounds.push(round);
  }

  failures(files: readonly string[]): readonly Round[] {
    return this.#rounds.filter(({ file, failures }) => failures.length > 0 && files.includes(file));
  }
}
