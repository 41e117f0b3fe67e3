import { resolve } from 'node:path';
import { AppError } from '../base/errors.ts';
import { answerFailed, brokenProject, type CommandAnswer, tellProblems } from './command-answer.ts';
import type { CliIo } from './io.ts';
import { type CommandProject, findProject, openCommandProject } from './open-project.ts';
import type { ProjectArgs } from './project-args.ts';
import { type Command, runCommand } from './run-command.ts';

export interface ProjectCommand<A> extends Command<A> {
  /** What a command that was stopped was doing. */
  readonly phase: string;
}

/**
 * Runs a command on the project that its arguments name. A project with an error in its files is left alone, except while it is watched:
 * there the error may go. Answers the exit code.
 */
export function runProjectCommand<A extends ProjectArgs & { readonly watch?: boolean }>(
  command: ProjectCommand<A>,
  args: readonly string[],
  io: CliIo,
  run: (project: CommandProject, args: A, answer: CommandAnswer) => Promise<number>,
): Promise<number> {
  return runCommand(command, args, io, async wish => {
    const { json, dialect, watch = false } = wish;
    let answer: CommandAnswer = { json, io };
    try {
      const found = await findProject(resolve(io.cwd, wish.project), dialect);
      answer = { ...answer, folder: found.folder };
      using project = await openCommandProject(found, io, { dialect, watch });
      const [broken] = tellProblems(project, answer);
      if (broken && !watch) return answerFailed(brokenProject(broken), project.session.diagnostics(), answer);
      return await run(project, wish, answer);
    } catch (error) {
      if (!(error instanceof AppError) && !io.stop.aborted) throw error;
      return answerFailed(io.stop.aborted ? new AppError('CANCELLED', { phase: command.phase }) : error, [], answer);
    }
  });
}
