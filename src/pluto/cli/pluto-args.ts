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
  /** As written; `undefined`: the current folder. */
  readonly path: string | undefined;
  /** The folder where imports start; `undefined`: derived from the path. */
  readonly project: string | undefined;
  readonly json: boolean;
  readonly write: boolean;
  readonly output: string | undefined;
  /** For `test`: text that the names of the tests must contain. */
  readonly filter: string;
  /** For `run`: the arguments after `--`, which programs cannot read. */
  readonly programArgs: readonly string[];
  /** For `sync`: the side that wins where both have changed. */
  readonly take: 'pt' | 'pluto' | undefined;
}

export const plutoUsage = `Usage: atlas-bridge pluto <command> [<file or folder>] [options]

Commands:
  check [<file or folder>]      Report all findings; exits 1 if one of them is an error
  run <file> [-- <args>]        Run a program; exits with its status
  test <file>                   Run the tests of a module; exits 1 if one fails
  compile <file> [-o <file>]    Compile a program to one JavaScript file for Node
  analyze <file>                Check a module and store the results in its container
  generate-pt [<file>]          Write the .pt views of .pluto modules (default: all)
  generate-pt <file> -o <file>  Write the source of a module with its ids, or print it (-o -): for git diff
  sync <file.pt>                Apply the edits of a view to its .pluto
  migrate [<file or folder>]    Convert text modules to containers: .pluto in place, .pt to a .pluto beside it
  emit-ast <file> [-o <file>]   Write the container of a module
  fmt <file>                    Print the canonical source of a module; --write replaces the file

Options:
  --project <folder>   Folder where imports start (default: the nearest folder with a pluto.toml, or the file's folder)
  --json               Print one line of JSON
  --write              fmt: replace the file
  --take pt|pluto      sync: which side wins where both have changed
  --filter <text>      test: run only tests whose names contain this text
  -o, --output <file>  compile, emit-ast, generate-pt: output file; generate-pt also accepts - for the standard output
  -h, --help           Show this help

Every command reads containers and text, in .pluto and .pt files. Findings go to the standard error output as
file:line:column: severity: message. Exit codes: 0 success, 1 failure or errors found, 2 invalid usage. run exits with the
status of the program (0 to 255; 1 after an uncaught error or a failure), 1 if it does not compile, and 128 plus the signal
number if a signal ended it.`;

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
    return err(name === undefined ? 'pluto requires a command' : `unknown command 'pluto ${name}'`);
  if (surplus !== undefined) return err(`unexpected argument '${surplus}'`);
  if (path === undefined && !['check', 'generate-pt', 'migrate'].includes(command))
    return err(`${command} requires a file`);
  if (values.write === true && command !== 'fmt') return err('--write applies only to fmt');
  if (values.output !== undefined && !['compile', 'emit-ast', 'generate-pt'].includes(command))
    return err('-o applies only to compile, emit-ast and generate-pt');
  if (values.filter !== undefined && command !== 'test') return err('--filter applies only to test');
  if (values.json === true && command === 'run')
    return err('--json does not apply to run, which prints the output of the program');
  if (values.output !== undefined && path === undefined) return err('-o requires a file');
  const { take } = values;
  if (take !== undefined && (command !== 'sync' || (take !== 'pt' && take !== 'pluto')))
    return err('--take applies only to sync, with the value pt or pluto');
  const { project, output, filter = '' } = values;
  const flags = { json: values.json === true, write: values.write === true };
  return ok({ command, path, project, ...flags, output, filter, programArgs, take });
}
