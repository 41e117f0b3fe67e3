import { AppError } from '../base/errors.ts';
import { commandHint } from '../protocol/error-body.ts';
import type { ProjectDiagnostic } from '../core/sync/project-session.ts';
import { type CliIo, exitCodes } from './io.ts';
import { type CommandProject, problemLine } from './open-project.ts';
import { tellFailure } from './tell-failure.ts';

/** What a command says at its end, in words or, with `--json`, as one line of JSON. */
export interface CommandAnswer {
  readonly json: boolean;
  readonly io: CliIo;
}

/** Prints the problems of a loaded project; answers those that are errors. With `--json` they come with the answer. */
export function tellProblems(project: CommandProject, { json, io }: CommandAnswer): readonly ProjectDiagnostic[] {
  const problems = project.session.diagnostics();
  if (!json) for (const problem of problems) io.err(problemLine(problem, project.folder, io.cwd));
  return problems.filter(({ severity }) => severity === 'error');
}

export function answerDone(fields: object, words: string, { json, io }: CommandAnswer): number {
  io.out(json ? JSON.stringify({ ok: true, ...fields }) : words);
  return exitCodes.done;
}

/** The exit code of a command that failed. `problems`: everything that is wrong with the files of the project. */
export function answerFailed(
  failure: unknown,
  problems: readonly ProjectDiagnostic[],
  { json, io }: CommandAnswer,
): number {
  const error = AppError.from(failure);
  const { code, message } = error;
  if (json) io.out(JSON.stringify({ ok: false, error: { code, message, hint: commandHint(error) }, problems }));
  else tellFailure(error, io);
  return exitCodes.failed;
}

/** Why nothing is made of a project with such an error in its files. */
export function brokenProject({ file, line, column, message }: ProjectDiagnostic): AppError {
  return new AppError('PROJECT_INVALID', { file, line, column, expected: message.replace(/^expected /, '') });
}
