import { parseArgs } from 'node:util';
import { err, ok, type Result } from '../base/result.ts';
import { type CliIo, exitCodes } from './io.ts';
import { reportWrongUsage } from './report-failure.ts';
import { suggestName } from './suggest-name.ts';
import { type CommandSpec, listedOptions } from './table/command-spec.ts';
import { insteadOfGlobalOptions } from './table/command-table.ts';
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

const helpOption = { help: { type: 'boolean', short: 'h' } } as const;

const optionNames = (spec: CommandSpec): readonly string[] => Object.keys(listedOptions(spec)).map(name => `--${name}`);

/**
 * Reads the options of a command and its positional arguments. What users of other tools type is read as the option here, or answered with
 * what to use instead. Other errors are Node's, shortened to one phrase.
 */
export function parseOptions<const O extends CommandSpec['options']>(
  args: readonly string[],
  spec: CommandSpec & { readonly options: O },
) {
  const { aliases = {}, instead = {} }: CommandSpec = spec;
  const end = args.indexOf('--');
  const expanded: string[] = [];
  for (const [index, arg] of args.entries()) {
    const [name = '', ...value] = arg.startsWith('-') && (end === -1 || index < end) ? arg.split('=') : [''];
    const alias = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    const others = alias === undefined ? { ...insteadOfGlobalOptions, ...instead } : {};
    if (Object.hasOwn(others, name)) return err(`unsupported option '${name}': ${others[name] ?? ''}`);
    // `-o=file` is `-o file` in the other tools.
    if (alias === undefined && /^-\w$/.test(name) && value.length > 0) expanded.push(name, value.join('='));
    else expanded.push(alias === undefined ? arg : [alias, ...value].join('='));
  }
  try {
    return ok(parseArgs({ args: expanded, allowPositionals: true, options: { ...spec.options, ...helpOption } }));
  } catch (error) {
    const [problem = ''] = String(error instanceof Error ? error.message : error).split(/\.\s/);
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
