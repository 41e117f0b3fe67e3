import { err, ok } from '../base/result.ts';
import { readPlaceId } from './place-id.ts';
import { type ProjectArgs, readProjectArgs } from './project-args.ts';
import type { Command } from './run-command.ts';
import { syncSpec } from './table/bridge-specs.ts';
import { readSettingArgs, type SettingValues } from './setting-args.ts';

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

export const syncCommand: Command<SyncArgs> = {
  spec: syncSpec,
  read: args =>
    readProjectArgs(args, syncSpec, ({ place, save, mode: given, review = false, 'place-id': id, set }) => {
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
      if (save !== undefined && !/\.rbxlx?$/i.test(save)) return err(`invalid place file '${save}' (.rbxl or .rbxlx)`);
      const placeId = readPlaceId(id);
      if (!placeId.ok) return placeId;
      const settings = readSettingArgs(set);
      return settings.ok ? ok({ place, placeId: placeId.value, mode, save, settings: settings.value }) : settings;
    }),
};
