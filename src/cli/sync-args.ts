import { parseArgs } from 'node:util';
import { err, ok, type Result } from '../base/result.ts';
import type { Dialect } from '../core/sync/project/project-file.ts';
import { placeIdUsage, readPlaceId } from './place-id.ts';
import { dialectUsage, readDialect, readProjectArgument } from './project-args.ts';

export interface SyncArgs {
  readonly project: string;
  /** The place file, as it was given. */
  readonly place: string;
  readonly placeId: number | undefined;
  readonly mode: 'dryrun' | 'fastfail';
  /** Where the place goes after a sync; always there with `fastfail`, never with `dryrun`. */
  readonly save: string | undefined;
  readonly dialect: Dialect | undefined;
  readonly json: boolean;
}

export const syncUsage = `Usage: atlas-bridge sync <project> --place <file> [options]

Compares a project (its file, or the folder that holds it) with a place file, over headless Studio.

Options:
  --place <file>            The place: .rbxl or .rbxlx.
${placeIdUsage}
  --mode <dryrun|fastfail>  dryrun (default) lists what differs and changes nothing. fastfail carries the sync out when every change
                            has a default, in the files and in the place; else it changes nothing.
  --save <file>             fastfail only, and needed there: the .rbxl or .rbxlx file to write the place to; it may be that of --place.
${dialectUsage}
  --json                    Print the result as one line of JSON instead of words.
  -h, --help                Show this text.

Exit codes: 0 in sync (with fastfail: now), 3 different, 1 failed, 2 wrong usage.`;

/** Reads the arguments behind `sync`; `help` asks for the usage text. The error says what is wrong. */
export function readSyncArgs(args: readonly string[]): Result<SyncArgs | 'help', string> {
  const parsed = parse(args);
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  if (values.help === true) return ok('help');
  const project = readProjectArgument('sync', positionals);
  if (!project.ok) return project;
  const dialect = readDialect(values.dialect);
  if (!dialect.ok) return dialect;
  const { place, save, mode = 'dryrun' } = values;
  if (place === undefined) return err('--place is missing: it names the place file to compare with');
  if (mode !== 'dryrun' && mode !== 'fastfail')
    return err(`there is no mode ${mode} here, where nobody can be asked; there are dryrun and fastfail`);
  if (mode === 'dryrun' && save !== undefined) return err('--save does not go with dryrun, which changes nothing');
  if (mode === 'fastfail' && save === undefined)
    return err('--save is missing: without it, what fastfail changes in the place would be lost');
  if (save !== undefined && !/\.rbxlx?$/i.test(save))
    return err(`${save} cannot be written: a place is a .rbxl or .rbxlx file`);
  const placeId = readPlaceId(values['place-id']);
  if (!placeId.ok) return placeId;
  return ok({
    project: project.value,
    place,
    placeId: placeId.value,
    mode,
    save,
    dialect: dialect.value,
    json: values.json === true,
  });
}

function parse(args: readonly string[]) {
  try {
    const options = {
      place: { type: 'string' },
      'place-id': { type: 'string' },
      mode: { type: 'string' },
      save: { type: 'string' },
      dialect: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    } as const;
    return ok(parseArgs({ args: [...args], allowPositionals: true, options }));
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}
