import { err, ok, type Result } from '../../base/result.ts';
import { parseOptions } from '../../cli/run-command.ts';

export const plutoCommands = [
  'check',
  'run',
  'test',
  'compile',
  'analyze',
  'generate-pt',
  'sync',
  'migrate',
  'emit-ast',
  'fmt',
] as const;
export type PlutoCommandName = (typeof plutoCommands)[number];

export interface PlutoArgs {
  readonly command: PlutoCommandName;
  /** As it was written; undefined: the current folder. */
  readonly path: string | undefined;
  /** The folder that imports are looked for in; undefined: found from the path. */
  readonly project: string | undefined;
  readonly json: boolean;
  readonly write: boolean;
  readonly output: string | undefined;
  /** Of `test`: part of the names of tests that are run. */
  readonly filter: string;
  /** Of `run`: what stood behind `--`, which no program can read. */
  readonly programArgs: readonly string[];
  /** Of `sync`: whose text counts where both sides moved. */
  readonly take: 'pt' | 'pluto' | undefined;
}

export const plutoUsage = `Usage: atlas-bridge pluto <command> [<file or folder>] [options]

Commands:
  check [<file or folder>]      Report everything that is wrong; exits 1 when some of it is an error.
  run <file> [-- <args>]        Run the program that starts in a module; exits with its status.
  test <file>                   Run the tests of a module; exits 1 when one has failed.
  compile <file> [-o <file>]    Write the program as one JavaScript file for node: beside the module, or elsewhere.
  analyze <file>                Check a module, and keep what was found out in its container.
  generate-pt [<file>]          Write the .pt views of .pluto modules; all of them without a file.
  generate-pt <file> -o <file>  Write the text of a module with its ids there, or print it (-o -): what git diff can compare.
  sync <file.pt>                Bring the edits of a view into its .pluto.
  migrate [<file or folder>]    Make containers of modules that are text: .pluto in place, .pt into a .pluto beside it.
  emit-ast <file> [-o <file>]   Write a container of a module, beside it or elsewhere.
  fmt <file>                    Print the canonical text of a module; --write replaces the file.

Options:
  --project <folder>   Where imports start; default: the folder of pluto.toml above the file, or the file's own.
  --json               Print one line of JSON instead of words.
  --write              Of fmt: write the canonical text into the file.
  --take pt|pluto      Of sync: whose text counts where both sides have moved.
  --filter <text>      Of test: only tests whose names contain this.
  -o, --output <file>  Of compile, emit-ast and generate-pt: where to write. Of generate-pt: - prints the text.
  -h, --help           Show this text.

Text .pluto and .pt files are taken wherever a container is. Findings go to the standard error output as
file:line:column: severity: message. Exit codes: 0 done, 1 failed or errors found, 2 wrong usage; run exits with what the
program ends with (0 to 255; 1 after an uncaught error or a failure), 1 when it was not compiled, and 128 and the number of
a signal that ended it.`;

export function readPlutoArgs(args: readonly string[]): Result<PlutoArgs | 'help', string> {
  const dashes = args[0] === 'run' ? args.indexOf('--') : -1;
  const programArgs = dashes === -1 ? [] : args.slice(dashes + 1);
  const parsed = parseOptions(dashes === -1 ? args : args.slice(0, dashes), {
    project: { type: 'string' },
    json: { type: 'boolean' },
    write: { type: 'boolean' },
    output: { type: 'string', short: 'o' },
    filter: { type: 'string' },
    take: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  });
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  if (values.help === true) return ok('help');
  const [name, path, surplus] = positionals;
  const command = plutoCommands.find(one => one === name);
  if (command === undefined)
    return err(name === undefined ? 'a command is missing' : `there is no command ${name} for Pluto`);
  if (surplus !== undefined) return err(`${command} takes one path; ${surplus} is one too many`);
  if (path === undefined && !['check', 'generate-pt', 'migrate'].includes(command))
    return err(`${command} needs a file`);
  if (values.write === true && command !== 'fmt') return err('--write is for fmt');
  if (values.output !== undefined && !['compile', 'emit-ast', 'generate-pt'].includes(command))
    return err('-o is for compile, emit-ast and generate-pt');
  if (values.filter !== undefined && command !== 'test') return err('--filter is for test');
  if (values.json === true && command === 'run') return err('run prints what the program prints; --json is not for it');
  if (values.output !== undefined && path === undefined) return err('-o needs one file');
  const { take } = values;
  if (take !== undefined && (command !== 'sync' || (take !== 'pt' && take !== 'pluto')))
    return err('--take is for sync, and is pt or pluto');
  const { project, output, filter = '' } = values;
  const flags = { json: values.json === true, write: values.write === true };
  return ok({ command, path, project, ...flags, output, filter, programArgs, take });
}
