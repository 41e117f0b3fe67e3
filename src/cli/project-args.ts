import { err, ok, type Result } from '../base/result.ts';
import type { Dialect } from '../core/sync/project/project-file.ts';

/** `undefined`: the project file says it. The error names what there is to choose from. */
export function readDialect(text: string | undefined): Result<Dialect | undefined, string> {
  if (text === undefined || text === 'rojo' || text === 'atlas') return ok(text);
  return err(`there is no dialect ${text}; there are rojo and atlas`);
}

/** The one project among the arguments. */
export function readProjectArgument(command: string, positionals: readonly string[]): Result<string, string> {
  const [project, surplus] = positionals;
  if (project === undefined) return err(`${command} needs the project: its file, or the folder that holds it`);
  if (surplus !== undefined) return err(`${command} takes one project; ${surplus} is one too many`);
  return ok(project);
}

export const dialectUsage =
  '  --dialect <rojo|atlas>    How files are to be read; without it the project file decides.';
