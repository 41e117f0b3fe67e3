import { join, relative } from 'node:path';
import { AppError } from '../base/errors.ts';
import { commandHint } from '../protocol/error-body.ts';
import type { ProjectDiagnostic } from '../project/project-session.ts';
import { type CliIo, exitCodes } from './io.ts';
import { type CommandProject, problemLine } from './open-project.ts';
import { tellFailure } from './tell-failure.ts';

/** What a command says at its end, in words or, with `--json`, as one line of JSON. */
export interface CommandAnswer {
  readonly json: boolean;
  readonly io: CliIo;
  /** Where the paths of the project begin, absolute; left out as long as none is found. */
  readonly folder?: string;
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
  { json, io, folder }: CommandAnswer,
): number {
  const error = AppError.from(failure);
  const { code, message } = error;
  if (json) io.out(JSON.stringify({ ok: false, error: { code, message, hint: commandHint(error) }, problems }));
  else tellFailure(folder === undefined ? error : seenFrom(io.cwd, folder, error), io);
  return exitCodes.failed;
}

/** A person opens the file that is named from where they are; programs know the project. */
function seenFrom(cwd: string, folder: string, error: AppError): AppError {
  if (!AppError.is(error, 'PROJECT_INVALID')) return error;
  return new AppError('PROJECT_INVALID', { ...error.details, file: relative(cwd, join(folder, error.details.file)) });
}

/** Why nothing is made of a project with such an error in its files. */
export function brokenProject({ file, line, column, message }: ProjectDiagnostic): AppError {
  return new AppError('PROJECT_INVALID', { file, line, column, expected: message.replace(/^expected /, '') });
}
