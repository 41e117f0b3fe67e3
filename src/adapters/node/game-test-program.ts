import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { GameTestOutcome, GameTestRunner } from '../../ports/game-tests.ts';
import { GameTestAnswer, GameTestEvent } from '../../protocol/game-tests.ts';
import { converse, parseLine } from './run-program.ts';

/** Runs the tests of a game with `atlas-bridge test` in a new process. @param cli the program, absolute */
export function createGameTestRunner(cli: string): GameTestRunner {
  return {
    async run({ project, filters }, signal, { onStarted, onResult }): Promise<GameTestOutcome> {
      // One argument each, so that no filter of an agent is read as another option.
      const args = ['test', project, ...filters.map(filter => `--filter=${filter}`)];
      const options = { cwd: (await stat(project)).isDirectory() ? project : dirname(project) };
      const answer = await converse(cli, args, signal, GameTestAnswer, options, async line => {
        const event = GameTestEvent.safeParse(parseLine(line));
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
