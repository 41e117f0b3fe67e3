import { err, ok } from '../base/result.ts';
import { placeIdUsage, readPlaceId } from './place-id.ts';
import { dialectUsage, type ProjectArgs, readProjectArgs } from './project-args.ts';
import type { Command } from './run-command.ts';
import { readSettingArgs, settingOptions, settingUsage, type SettingValues } from './setting-args.ts';

export interface SyncArgs extends ProjectArgs {
  /** The place file as given, relative to the current folder. */
  readonly place: string;
  readonly placeId: number | undefined;
  readonly mode: 'dryrun' | 'fastfail';
  /** Where to save the place after a sync; never with `dryrun`. Without it, the sync is a dry run. */
  readonly save: string | undefined;
  readonly settings: SettingValues;
}

const syncUsage = `Usage: atlas-bridge sync [project] --place <file> [options]

Compare a project with a place file in headless Studio, or sync them.

Arguments:
  [project]              Project file or its folder [default: current folder]

Options:
  --place <file>         Place file: .rbxl or .rbxlx
${placeIdUsage}
  --mode <mode>          dryrun: list the differences and change nothing [default]
                         fastfail: sync if every change has a default, else change nothing; requires --save
  --save <file>          With --mode fastfail: place file to write after the sync; may be the file of --place
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
        save: { type: 'string' },
        ...settingOptions,
      },
      ({ place, save, mode = 'dryrun', 'place-id': id, set }) => {
        if (place === undefined) return err('sync requires --place <file>');
        if (mode !== 'dryrun' && mode !== 'fastfail')
          return err(`unknown mode '${mode}': the command line supports dryrun and fastfail`);
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
