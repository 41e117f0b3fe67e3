/** An option of a command. Node's `parseArgs` reads `type`, `short` and `multiple`; the help, completions and man page read the rest. */
export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: true;
  /** Placeholder of the value, such as `file`. Every option of type `string` has one. */
  readonly value?: string;
  /** The allowed values, for completions. */
  readonly choices?: readonly string[];
  /** One phrase; a line break starts a new line in the help. */
  readonly text: string;
}

/** A positional argument. */
export interface ArgumentSpec {
  readonly name: string;
  readonly isRequired?: true;
  /** The allowed values; without them, the argument is a path. */
  readonly choices?: readonly string[];
  /** Absent if the description explains the argument; then the list of arguments omits it. */
  readonly text?: string;
}

/** A row of the command table: all that the parser, `--help`, the completions, the man page and the docs know about a command. */
export interface CommandSpec {
  readonly name: string;
  /** One imperative line for lists of commands. */
  readonly summary: string;
  /** The usage lines without the program name; absent: derived from the arguments. */
  readonly usage?: readonly string[];
  /** The first paragraph of the help. */
  readonly description: string;
  readonly arguments?: readonly ArgumentSpec[];
  /** The subcommands, such as `check [<file>]`, each with one line. */
  readonly commands?: readonly (readonly [call: string, text: string])[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Options of other tools, such as `--host` or `-H`, each with its option here. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Options of other tools without a counterpart, each with a phrase that names the alternative. */
  readonly alternatives?: Readonly<Record<string, string>>;
  /** The last paragraph of the help, before the exit codes. */
  readonly notes?: string;
  /** The meaning of the exit codes, if not `0 success, 1 failure, 2 wrong usage`. */
  readonly exitCodes?: string;
}

/** Options of every command. */
export const globalOptions: Readonly<Record<string, OptionSpec>> = {
  verbose: { type: 'boolean', short: 'v', text: 'Log more to standard error; -vv for everything' },
  color: {
    type: 'string',
    value: 'when',
    choices: ['auto', 'always', 'never'],
    text: 'When to color messages on standard error: auto, always or never [default: auto]',
  },
  help: { type: 'boolean', short: 'h', text: 'Print help' },
};

/** The options of a command that its help lists. */
export const listedOptions = (spec: CommandSpec): Readonly<Record<string, OptionSpec>> => ({
  ...spec.options,
  ...(globalOptions['help'] && { help: globalOptions['help'] }),
});

const DEFAULT_EXIT_CODES = '0 success, 1 failure, 2 wrong usage';

/** The text below the options: the notes of the command, and its exit codes (by default the usual ones). */
export function closingText({
  notes,
  exitCodes = DEFAULT_EXIT_CODES,
}: Pick<CommandSpec, 'notes' | 'exitCodes'>): string {
  return [...(notes === undefined ? [] : [notes]), `Exit codes: ${exitCodes}.`].join('\n');
}

/** The lines after the program name that show how a command is called. */
export function usageLines({ name, usage, arguments: args = [] }: CommandSpec): readonly string[] {
  if (usage !== undefined) return usage;
  const shown = args.map(({ name, isRequired }) => (isRequired === true ? `<${name}>` : `[${name}]`));
  return [[name, ...shown, '[options]'].join(' ')];
}
