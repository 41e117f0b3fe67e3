import { err, ok } from '../base/result.ts';
import { placeIdUsage, readPlaceId } from './place-id.ts';
import { dialectUsage, type ProjectArgs, readProjectArgs } from './project-args.ts';
import type { Command } from './run-command.ts';

export interface SyncArgs extends ProjectArgs {
  /** The place file, as it was given. */
  readonly place: string;
  readonly placeId: number | undefined;
  readonly mode: 'dryrun' | 'fastfail';
  /** Where the place goes after a sync; never with `dryrun`. Without it nothing is carried out: the place has nowhere to go. */
  readonly save: string | undefined;
}

const syncUsage = `Usage: atlas-bridge sync [project] --place <file> [options]

Compares a project (its file, or the folder that holds it; default: the current one) with a place file, over headless Studio.

Options:
  --place <file>            The place: .rbxl or .rbxlx.
${placeIdUsage}
  --mode <dryrun|fastfail>  dryrun (default) lists what differs and changes nothing. fastfail carries the sync out when every change
                            has a default, in the files and in the place; else, and without --save, it changes nothing either.
  --save <file>             fastfail only: the .rbxl or .rbxlx file to write the place to; it may be that of --place.
${dialectUsage}
  --json                    Print the result as one line of JSON instead of words.
  -h, --help                Show this text.

Exit codes: 0 in sync (with fastfail: now), 3 different, 1 failed, 2 wrong usage.`;

export const syncCommand: Command<SyncArgs> = {
  name: 'sync',
  usage: syncUsage,
  read: args =>
    readProjectArgs(
      'sync',
      args,
      {
        place: { type: 'string' },
        'place-id': { type: 'string' },
        mode: { type: 'string' },
        save: { type: 'string' },
      },
      ({ place, save, mode = 'dryrun', 'place-id': id }) => {
        if (place === undefined) return err('--place is missing: it names the place file to compare with');
        if (mode !== 'dryrun' && mode !== 'fastfail')
          return err(`there is no mode ${mode} here, where nobody can be asked; there are dryrun and fastfail`);
        if (mode === 'dryrun' && save !== undefined)
          return err('--save does not go with dryrun, which changes nothing');
        if (save !== undefined && !/\.rbxlx?$/i.test(save))
          return err(`${save} cannot be written: a place is a .rbxl or .rbxlx file`);
        const placeId = readPlaceId(id);
        return placeId.ok ? ok({ place, placeId: placeId.value, mode, save }) : placeId;
      },
    ),
};
