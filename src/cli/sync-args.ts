import { err, ok } from '../base/result.ts';
import { placeIdUsage, readPlaceId } from './place-id.ts';
import { dialectUsage, type ProjectArgs, readProjectArgs } from './project-args.ts';
import type { Command } from './run-command.ts';
import { readSettingArgs, settingOptions, settingUsage, type SettingValues } from './setting-args.ts';

export interface SyncArgs extends ProjectArgs {
  /** The place file as given, relative to the current folder; `undefined`: the Studio that is connected to the bridge of the folder. */
  readonly place: string | undefined;
  readonly placeId: number | undefined;
  /** `manual`: a person decides in the terminal. */
  readonly mode: 'dryrun' | 'fastfail' | 'manual';
  /** Where to save the place after a sync; never with `dryrun`. Without it, the sync is a dry run. */
  readonly save: string | undefined;
  readonly settings: SettingValues;
}

const syncUsage = `Usage: atlas-bridge sync [project] --place <file> [options]
       atlas-bridge sync [project] --review [options]

Compare a project with a place file in headless Studio, or with the connected Studio, and sync them.

Arguments:
  [project]              Project file or its folder [default: current folder]

Options:
  --place <file>         Place file: .rbxl or .rbxlx
${placeIdUsage}
  --mode <mode>          dryrun: list the differences and change nothing [default]
                         fastfail: sync if every change has a default, else change nothing; requires --save
  --review               Decide each change in the terminal; without --place, syncs with the connected Studio
  --save <file>          With --place and --mode fastfail or --review: place file to write after the sync; may be the
                         file of --place
${settingUsage}
${dialectUsage}
  --json                 Print the result as one line of JSON
  -h, --help             Print help

Exit codes: 0 no differences (or synced), 3 differences, 1 failure, 2 wrong usage.`;

export const syncCommand: Command<SyncArgs> = {
  name: 'sync',
  usage: syncUsage,
  read: args =>
    readProjectArgs(
      args,
      {
        place: { type: 'string' },
        'place-id': { type: 'string' },
        mode: { type: 'string' },
        review: { type: 'boolean' },
        save: { type: 'string' },
        ...settingOptions,
      },
      ({ place, save, mode: given, review = false, 'place-id': id, set }) => {
        if (place === undefined && !review) return err('sync requires --place <file> or --review');
        if (given !== undefined && review) return err('--mode and --review exclude each other');
        if (review && (place === undefined) !== (save === undefined))
          return err(
            place === undefined ? '--save requires --place <file>' : '--review with --place requires --save <file>',
          );
        if (given !== undefined && given !== 'dryrun' && given !== 'fastfail')
          return err(`unknown mode '${given}': the command line supports dryrun and fastfail`);
        const mode = review ? 'manual' : (given ?? 'dryrun');
        if (mode === 'dryrun' && save !== undefined)
          return err('--save requires --mode fastfail: dryrun changes nothing');
        if (save !== undefined && !/\.rbxlx?$/i.test(save))
          return err(`invalid place file '${save}' (.rbxl or .rbxlx)`);
        const placeId = readPlaceId(id);
        if (!placeId.ok) return placeId;
        const settings = readSettingArgs(set);
        return settings.ok ? ok({ place, placeId: placeId.value, mode, save, settings: settings.value }) : settings;
      },
    ),
};
