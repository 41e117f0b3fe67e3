import { join, relative } from 'node:path';
import { AppError } from '../base/errors.ts';
import { commandHint } from '../protocol/error-body.ts';
import type { ProjectDiagnostic } from '../project/project-session.ts';
import { type CliIo, exitCodes } from './io.ts';
import { type CommandProject, problemLine } from './open-project.ts';
import { printStack, reportFailure } from './report-failure.ts';

/** How a command prints its result: as text or, with `--json`, as one line of JSON. */
export interface CommandOutput {
  readonly json: boolean;
  readonly io: CliIo;
  /** Absolute folder that the project's paths are relative to; absent until a project is found. */
  readonly folder?: string;
}

/** Prints the problems of a loaded project, except with `--json`, which has them in the answer. Returns the errors. */
export function reportProblems(project: CommandProject, { json, io }: CommandOutput): readonly ProjectDiagnostic[] {
  const problems = project.session.diagnostics();
  if (!json) for (const problem of problems) io.err(problemLine(problem, project.folder, io.cwd));
  return problems.filter(({ severity }) => severity === 'error');
}

/** Prints the result of a command. @param words one or several lines for a person */
export function answerDone(fields: object, words: string | readonly string[], { json, io }: CommandOutput): number {
  if (json) io.out(JSON.stringify({ ok: true, ...fields }), 'data');
  else for (const line of typeof words === 'string' ? [words] : words) io.out(line);
  return exitCodes.done;
}

/** Prints the failure of a command. Returns the exit code. @param problems all problems of the project files */
export function answerFailed(
  failure: unknown,
  problems: readonly ProjectDiagnostic[],
  { json, io, folder }: CommandOutput,
): number {
  const error = AppError.from(failure);
  const { code, message } = error;
  if (json) {
    io.out(JSON.stringify({ ok: false, error: { code, message, hint: commandHint(error) }, problems }), 'data');
    printStack(error, io);
  } else reportFailure(folder === undefined ? error : relativeTo(io.cwd, folder, error), io);
  return exitCodes.failed;
}

/** Makes the file of the error relative to the current folder, so that a person can open it. */
function relativeTo(cwd: string, folder: string, error: AppError): AppError {
  if (!AppError.is(error, 'PROJECT_INVALID')) return error;
  return new AppError('PROJECT_INVALID', { ...error.details, file: relative(cwd, join(folder, error.details.file)) });
}

/** The failure of a command because of an error in a project file. */
export function invalidProject({ file, line, column, message }: ProjectDiagnostic): AppError {
  return new AppError('PROJECT_INVALID', { file, line, column, expected: message.replace(/^expected /, '') });
}
