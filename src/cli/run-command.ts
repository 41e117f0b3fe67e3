import { parseArgs } from 'node:util';
import { messageOf } from '../base/describe-cause.ts';
import { err, ok, type Result } from '../base/result.ts';
import { type CliIo, exitCodes } from './io.ts';
import { reportWrongUsage } from './report-failure.ts';
import { suggestName } from '../base/suggest-name.ts';
import { type CommandSpec, listedOptions } from './table/command-spec.ts';
import { globalOptionAlternatives } from './table/command-table.ts';
import { helpText } from './table/help-text.ts';

/** A command of `atlas-bridge` and how to read its arguments. */
export interface Command<A> {
  readonly spec: CommandSpec;
  /** Reads the arguments after the command name. */
  readonly read: (args: readonly string[]) => Result<A | 'help', string>;
}

/** Runs a command, or prints its help, or reports wrong arguments. Resolves with the exit code. */
export async function runCommand<A>(
  { spec, read }: Command<A>,
  args: readonly string[],
  io: CliIo,
  run: (command: A) => Promise<number>,
): Promise<number> {
  const command = read(args);
  if (!command.ok) return reportWrongUsage(command.error, spec.name, io);
  if (command.value !== 'help') return run(command.value);
  io.out(helpText(spec), 'data');
  return exitCodes.done;
}

/** Reads the arguments of a command that has no positional arguments and no option but `--json`. */
export function readOnlyJson<const O extends { readonly json: { readonly type: 'boolean' } }>(
  args: readonly string[],
  spec: CommandSpec & { readonly options: O },
): Result<{ readonly json: boolean } | 'help', string> {
  const parsed = parseOptions(args, spec);
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  const { help, json } = values as { readonly help?: boolean; readonly json?: boolean };
  if (help === true) return ok('help');
  const [unexpected] = positionals;
  return unexpected === undefined ? ok({ json: json === true }) : err(`unexpected argument '${unexpected}'`);
}

const helpOption = { help: { type: 'boolean', short: 'h' } } as const;

const optionNames = (spec: CommandSpec): readonly string[] => Object.keys(listedOptions(spec)).map(name => `--${name}`);

/**
 * Reads the options of a command and its positional arguments. An option of another tool is read as its alias, or the error names the
 * alternative. Other errors are those of Node, shortened to one phrase.
 */
export function parseOptions<const O extends CommandSpec['options']>(
  args: readonly string[],
  spec: CommandSpec & { readonly options: O },
) {
  const { aliases = {}, alternatives = {} }: CommandSpec = spec;
  const end = args.indexOf('--');
  const expanded: string[] = [];
  for (const [index, arg] of args.entries()) {
    const [name = '', ...value] = arg.startsWith('-') && (end === -1 || index < end) ? arg.split('=') : [''];
    const alias = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    const others = alias === undefined ? { ...globalOptionAlternatives, ...alternatives } : {};
    if (Object.hasOwn(others, name)) return err(`unsupported option '${name}': ${others[name] ?? ''}`);
    // Other tools read `-o=file` as `-o file`.
    if (alias === undefined && /^-\w$/.test(name) && value.length > 0) expanded.push(name, value.join('='));
    else expanded.push(alias === undefined ? arg : [alias, ...value].join('='));
  }
  try {
    return ok(parseArgs({ args: expanded, allowPositionals: true, options: { ...spec.options, ...helpOption } }));
  } catch (error) {
    const [problem = ''] = messageOf(error).split(/\.\s/);
    return err(
      problem
        .replace(/^Option '(-\w, )?(--\S+).*' argument missing$/, "option '$2' requires a value")
        .replace(/^Option '(?:-\w, )?(--?\S+)' argument is ambiguous$/, "option '$1' requires a value")
        .replace(/^(?:Unknown|Option|Unexpected)/, first => first.toLowerCase())
        .replace(
          /^unknown option '(--\S+)'$/,
          (unknown, typed: string) => unknown + suggestName(typed, optionNames(spec)),
        ),
    );
  }
}
