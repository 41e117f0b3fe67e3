import type { ParseArgsConfig } from 'node:util';
import { err, ok, type Result } from '../base/result.ts';
import type { Dialect } from '../project/project-file/project-file.ts';
import { parseOptions } from './run-command.ts';

/** Arguments of every command on a project. */
export interface ProjectArgs {
  /** The project file or its folder; the current folder by default. */
  readonly project: string;
  /** `undefined`: as the project file says. */
  readonly dialect: Dialect | undefined;
  readonly json: boolean;
}

export const dialectUsage =
  '  --dialect <dialect>    Read the project as rojo or atlas [default: detected from the project file]';

const shared = {
  dialect: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/**
 * Reads the arguments of a command on a project.
 *
 * @param options options of this command only
 * @param readRest reads these options; not called for `--help`
 */
export function readProjectArgs<const O extends NonNullable<ParseArgsConfig['options']>, R>(
  args: readonly string[],
  options: O,
  readRest: (values: ValuesOf<O>, project: ProjectArgs) => Result<R, string>,
): Result<(ProjectArgs & R) | 'help', string> {
  const parsed = parseOptions(args, { ...options, ...shared });
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  const { help, dialect, json } = values as ValuesOf<typeof shared>;
  if (help === true) return ok('help');
  const [project = '.', unexpected] = positionals;
  if (unexpected !== undefined) return err(`unexpected argument '${unexpected}'`);
  const chosen = readDialect(dialect);
  if (!chosen.ok) return chosen;
  const about = { project, dialect: chosen.value, json: json === true };
  const rest = readRest(values as ValuesOf<O>, about);
  return rest.ok ? ok({ ...about, ...rest.value }) : rest;
}

/** Reads the value of `--dialect`. */
export const readDialect = (text: string | undefined): Result<Dialect | undefined, string> =>
  text === undefined || text === 'rojo' || text === 'atlas'
    ? ok(text)
    : err(`unknown dialect '${text}' (rojo or atlas)`);

type ValuesOf<O extends NonNullable<ParseArgsConfig['options']>> = {
  readonly [N in keyof O]?: O[N]['type'] extends 'boolean'
    ? boolean
    : O[N]['multiple'] extends true
      ? string[]
      : string;
};
