import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { GameTestOutcome, GameTestRunner } from '../../ports/game-tests.ts';
import { GameTestAnswer, GameTestEvent } from '../../protocol/game-tests.ts';
import { parseJson } from '../../base/parse-json.ts';
import { converse } from './run-program.ts';

/** Runs the tests of a game with `atlas-bridge test` in a new process. @param cli the program, absolute */
export function createGameTestRunner(cli: string): GameTestRunner {
  return {
    async run({ project, filters }, signal, { onStarted, onResult }): Promise<GameTestOutcome> {
      // `--filter=…` in one argument, so that a filter that starts with `-` is not read as another option.
      const args = ['test', project, ...filters.map(filter => `--filter=${filter}`)];
      const options = { cwd: (await stat(project)).isDirectory() ? project : dirname(project) };
      const answer = await converse(cli, args, signal, GameTestAnswer, options, async line => {
        const event = GameTestEvent.safeParse(parseJson(line));
        if (!event.success) return undefined;
        if (event.data.event === 'test') onResult(event.data);
        if (event.data.event === 'started') onStarted?.(event.data);
        return undefined;
      });
      if ('event' in answer) return { ok: true, totals: answer };
      const { code, message, hint } = answer.error;
      return { ok: false, error: { code, message, hint } };
    },
  };
}
