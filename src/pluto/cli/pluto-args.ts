import { err, ok, type Result } from '../../base/result.ts';
import { parseOptions } from '../../cli/run-command.ts';
import { suggestName } from '../../base/suggest-name.ts';
import { plutoSpec } from '../../cli/table/tool-specs.ts';

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

export function readPlutoArgs(args: readonly string[]): Result<PlutoArgs | 'help', string> {
  const dashes = args[0] === 'run' ? args.indexOf('--') : -1;
  const programArgs = dashes === -1 ? [] : args.slice(dashes + 1);
  const parsed = parseOptions(dashes === -1 ? args : args.slice(0, dashes), plutoSpec);
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  if (values.help === true) return ok('help');
  const [name, path, surplus] = positionals;
  const command = plutoCommands.find(one => one === name);
  if (command === undefined)
    return err(
      name === undefined
        ? 'pluto requires a command'
        : `unknown command 'pluto ${name}'${suggestName(name, plutoCommands)}`,
    );
  if (surplus !== undefined) return err(`unexpected argument '${surplus}'`);
  if (path === undefined && !['check', 'generate-pt', 'migrate'].includes(command))
    return err(`${command} requires a file`);
  if (values.write === true && command !== 'fmt') return err('--write applies only to fmt');
  if (values.output !== undefined && !['compile', 'emit-ast', 'generate-pt'].includes(command))
    return err('-o applies only to compile, emit-ast and generate-pt');
  if (values.output === '-' && command === 'emit-ast')
    return err('emit-ast writes a binary file, so -o requires its name');
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
