import { err, ok, type Result } from '../base/result.ts';
import type { Dialect } from '../project/project-file/project-file.ts';
import { parseOptions } from './run-command.ts';
import type { CommandSpec, OptionSpec } from './table/command-spec.ts';

/** Arguments of every command on a project. */
export interface ProjectArgs {
  /** The project file or its folder; the current folder by default. */
  readonly project: string;
  /** `undefined`: as the project file says. */
  readonly dialect: Dialect | undefined;
  readonly json: boolean;
}

/**
 * Reads the arguments of a command on a project.
 *
 * @param spec the row of the command in the table, with the options `--dialect` and `--json`
 * @param readRest reads the other options; not called for `--help`
 */
export function readProjectArgs<const O extends CommandSpec['options'], R>(
  args: readonly string[],
  spec: CommandSpec & { readonly options: O },
  readRest: (values: ValuesOf<O>, project: ProjectArgs) => Result<R, string>,
): Result<(ProjectArgs & R) | 'help', string> {
  const parsed = parseOptions(args, spec);
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

/** The types of the options that all these commands have. */
const shared = { dialect: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } } as const;

type ValuesOf<O extends Readonly<Record<string, Pick<OptionSpec, 'type' | 'multiple'>>>> = {
  readonly [N in keyof O]?: O[N]['type'] extends 'boolean'
    ? boolean
    : O[N]['multiple'] extends true
      ? string[]
      : string;
};
