import { resolve } from 'node:path';
import { AppError } from '../base/errors.ts';
import { answerFailed, invalidProject, type CommandOutput, reportProblems } from './command-answer.ts';
import type { CliIo } from './io.ts';
import { findProject } from '../app/find-project.ts';
import { type CommandProject, openCommandProject } from './open-project.ts';
import type { ProjectArgs } from './project-args.ts';
import { type Command, runCommand } from './run-command.ts';

export interface ProjectCommand<A> extends Command<A> {
  /** The action of the command, for the message after Ctrl+C. */
  readonly phase: string;
  /** Set if the command creates the missing paths of a project. */
  readonly createsPaths?: true;
}

/**
 * Runs a command on the project that its arguments name. A project with an error in its files is refused, except with `--watch`, because
 * the error may be fixed meanwhile. Resolves with the exit code.
 */
export function runProjectCommand<A extends ProjectArgs & { readonly watch?: boolean }>(
  command: ProjectCommand<A>,
  args: readonly string[],
  io: CliIo,
  run: (project: CommandProject, args: A, answer: CommandOutput) => Promise<number>,
): Promise<number> {
  return runCommand(command, args, io, async parsed => {
    const { json, dialect, watch = false } = parsed;
    let answer: CommandOutput = { json, io };
    try {
      const found = await findProject(resolve(io.cwd, parsed.project), dialect);
      answer = { ...answer, folder: found.folder };
      using project = await openCommandProject(found, io, {
        dialect,
        watch,
        createsPaths: command.createsPaths ?? false,
      });
      const [broken] = reportProblems(project, answer);
      if (broken && !watch) return answerFailed(invalidProject(broken), project.session.diagnostics(), answer);
      return await run(project, parsed, answer);
    } catch (error) {
      // A cancelled upload may have succeeded, so that error stays.
      const isCancelled = io.stop.aborted && !AppError.is(error, 'UPLOAD_UNCONFIRMED');
      return answerFailed(isCancelled ? new AppError('CANCELLED', { phase: command.phase }) : error, [], answer);
    }
  });
}

/** Resolves when the command is stopped. */
export function untilStopped(stop: AbortSignal): Promise<void> {
  if (stop.aborted) return Promise.resolve();
  return new Promise(resolve => stop.addEventListener('abort', () => resolve(), { once: true }));
}
