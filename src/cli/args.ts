import { err, ok, type Result } from '../base/result.ts';
import { suggestName } from '../base/suggest-name.ts';
import type { CommandSpec } from './table/command-spec.ts';
import {
  type CommandName,
  commandTable,
  commandAlternatives,
  globalOptionAlternatives,
  isCommandName,
  specOf,
} from './table/command-table.ts';

export type CliCommand =
  | { readonly kind: 'help'; readonly command?: CommandName }
  | { readonly kind: 'version' }
  | { readonly kind: 'command'; readonly command: CommandName; readonly args: readonly string[] };

/** Options that apply to every command, wherever they are written. */
export interface GlobalArgs {
  /** How often `-v` is given. */
  readonly verbosity: number;
  readonly color: 'auto' | 'always' | 'never';
}

/** Separates the global options from the other arguments after the program name. */
export function readGlobalArgs(
  args: readonly string[],
): Result<{ readonly globals: GlobalArgs; readonly rest: readonly string[] }, string> {
  let verbosity = 0;
  let color: GlobalArgs['color'] = 'auto';
  const rest: string[] = [];
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  for (let at = 0; at < end; at++) {
    const arg = args[at] ?? '';
    const [name = '', value] = arg.split('=');
    if (name === '--color') {
      const when = value ?? args[++at];
      if (when === undefined) return err("option '--color' requires a value");
      if (when !== 'auto' && when !== 'always' && when !== 'never')
        return err(`invalid color '${when}' (auto, always, never)`);
      color = when;
    } else if (arg === '--verbose') verbosity++;
    else if (/^-v+$/.test(arg)) verbosity += arg.length - 1;
    else rest.push(arg);
  }
  return ok({ globals: { verbosity, color }, rest: [...rest, ...args.slice(end)] });
}

/** Whether messages on standard error are colored. Errors in the global options are reported without colors. */
export function isColored(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  const read = readGlobalArgs(args);
  if (!read.ok) return false;
  const { color } = read.value.globals;
  return (
    color === 'always' || (color === 'auto' && isTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb')
  );
}

/** Reads the arguments after the program name, without the global options. */
export function readArgs(args: readonly string[]): Result<CliCommand, string> {
  const [first, ...rest] = args;
  switch (first) {
    case undefined:
      return err('a command is required');
    case '-h':
    case '--help':
      return ok({ kind: 'help' });
    case 'help': {
      const [about] = rest;
      if (about === undefined) return ok({ kind: 'help' });
      return isCommandName(about) ? ok({ kind: 'help', command: about }) : unknown(about, []);
    }
    case '-V':
    case '--version':
      return ok({ kind: 'version' });
    default:
      return isCommandName(first) ? ok({ kind: 'command', command: first, args: rest }) : unknown(first, rest);
  }
}

/** Whether a command reads an option, or names an alternative to it. */
const knowsOption = ({ options, aliases = {}, alternatives = {} }: CommandSpec, typed: string): boolean =>
  [aliases, alternatives].some(table => Object.hasOwn(table, typed)) ||
  Object.entries(options).some(([name, { short }]) => typed === `--${name}` || typed === `-${short ?? ''}`);

function unknown(name: string, rest: readonly string[]): Result<never, string> {
  if (name.startsWith('-')) {
    const [option = name] = name.split('=');
    const other = Object.hasOwn(globalOptionAlternatives, option) ? globalOptionAlternatives[option] : undefined;
    if (other !== undefined) return err(`unsupported option '${option}': ${other}`);
    const command = rest.find(isCommandName);
    if (command !== undefined && knowsOption(specOf(command), option))
      return err(`write '${option}' after '${command}'`);
    return err(`unknown option '${option}'${suggestName(option, ['--help', '--version', '--verbose', '--color'])}`);
  }
  const other = Object.hasOwn(commandAlternatives, name) ? commandAlternatives[name] : undefined;
  if (other !== undefined) return err(`unsupported command '${name}': ${other}`);
  const names = commandTable.map(command => command.name);
  return err(`unknown command '${name}'${suggestName(name, names)}`);
}
