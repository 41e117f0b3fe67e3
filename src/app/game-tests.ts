import { join } from 'node:path';
import { loadOnce } from '../base/load-once.ts';
import type { AnswerRunTestsDeps } from '../game-tests/tools/answer-run-tests.ts';
import type { GameTestToolDeps } from '../game-tests/tools/run-tests.ts';
import { instructions } from '../mcp/instructions.ts';
import type { ToolsetContent } from '../mcp/registry.ts';
import type { ProjectSession } from '../project/project-session.ts';

/** Loads the answers of `run_tests`. */
export type LoadGameTests = (deps: Omit<AnswerRunTestsDeps, 'runner'>) => Promise<GameTestToolDeps['runGameTests']>;

interface ServedProject extends Pick<AnswerRunTestsDeps, 'clock' | 'random'> {
  /** Absolute folder of the session's paths. */
  readonly folder: string;
  /** @throws AppError NO_PROJECT, PROJECT_INVALID */
  readonly session: () => ProjectSession;
}

/** Answers `run_tests` with code that is loaded at the first call. */
export function lazyGameTests(
  load: LoadGameTests | undefined,
  { folder, session, ...ports }: ServedProject,
): GameTestToolDeps['runGameTests'] {
  const loaded = loadOnce(async () => {
    if (load === undefined) throw new Error('this bridge cannot run tests');
    return load({ project: () => join(folder, session().info.projectFile), ...ports });
  });
  return async (input, call) => (await loaded())(input, call);
}

/** The content of the toolset besides its tools. */
export const gameTestContent = (load: LoadGameTests | undefined): readonly ToolsetContent[] =>
  load === undefined ? [] : [{ toolset: 'tests', prompts: [], resources: undefined, instructions: instructions.tests }];
