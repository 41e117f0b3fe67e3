import type { ParseArgsConfig } from 'node:util';
import { err, ok, type Result } from '../base/result.ts';
import type { Dialect } from '../project/project-file/project-file.ts';
import { parseOptions } from './run-command.ts';

/** What every command on a project is told. */
export interface ProjectArgs {
  /** Its file, or the folder that holds it; the current folder when nothing is said. */
  readonly project: string;
  /** `undefined`: the project file says it. */
  readonly dialect: Dialect | undefined;
  readonly json: boolean;
}

export const dialectUsage =
  '  --dialect <rojo|atlas>    How files are to be read; without it the project file decides.';

const shared = {
  dialect: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/**
 * Reads the arguments behind a command on a project.
 *
 * @param options those of this command alone
 * @param readRest what is said in them; not asked when somebody wants help
 */
export function readProjectArgs<const O extends NonNullable<ParseArgsConfig['options']>, R>(
  command: string,
  args: readonly string[],
  options: O,
  readRest: (values: ValuesOf<O>, project: ProjectArgs) => Result<R, string>,
): Result<(ProjectArgs & R) | 'help', string> {
  const parsed = parseOptions(args, { ...options, ...shared });
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  const { help, dialect, json } = values as ValuesOf<typeof shared>;
  if (help === true) return ok('help');
  const [project = '.', surplus] = positionals;
  if (surplus !== undefined) return err(`${command} takes one project; ${surplus} is one too many`);
  if (!isDialect(dialect)) return err(`there is no dialect ${dialect}; there are rojo and atlas`);
  const about = { project, dialect, json: json === true };
  const rest = readRest(values as ValuesOf<O>, about);
  return rest.ok ? ok({ ...about, ...rest.value }) : rest;
}

const isDialect = (text: string | undefined): text is Dialect | undefined =>
  text === undefined || text === 'rojo' || text === 'atlas';

type ValuesOf<O extends NonNullable<ParseArgsConfig['options']>> = {
  readonly [N in keyof O]?: O[N]['type'] extends 'boolean' ? boolean : string;
};
