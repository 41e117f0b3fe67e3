import type { createGitClient } from '../adapters/git/git-client.ts';
import type { createThreadGit } from '../adapters/git/thread-git.ts';
import type { createPlaceOpener } from '../adapters/node/place-opener.ts';
import type { runUploadProgram } from '../adapters/node/run-program.ts';
import type { buildAndOpen, openInStudio, PlaceCommandsDeps } from '../project/vscode/place-commands.ts';
import type { LazyProjectCommands } from '../project/vscode/project-commands.ts';
import type { forgetApiKey, publishPlace } from '../project/vscode/publish-place.ts';
import type { WindowPendingChanges } from '../vscode/pending-changes.ts';
import type { SharedParts } from './shared-parts.ts';

/** The code of the commands, loaded on first use. */
export interface LazyPlaceParts {
  readonly open: () => Promise<{
    readonly buildAndOpen: typeof buildAndOpen;
    readonly openInStudio: typeof openInStudio;
    readonly createPlaceOpener: typeof createPlaceOpener;
  }>;
  readonly publish: () => Promise<{
    readonly publishPlace: typeof publishPlace;
    readonly forgetApiKey: typeof forgetApiKey;
    readonly runUploadProgram: typeof runUploadProgram;
    readonly createGitClient: typeof createGitClient;
    readonly createThreadGit: typeof createThreadGit;
  }>;
}

/**
 * Creates the commands that open and publish places.
 *
 * @param hide keeps a value out of the log
 */
export const placeCommands =
  (
    { context, cli, log }: SharedParts,
    pending: WindowPendingChanges,
    hide: (secret: string) => void,
    load: LazyPlaceParts,
  ) =>
  (deps: Omit<PlaceCommandsDeps, 'opener'>): LazyProjectCommands => ({
    async buildAndOpen(choice) {
      const { buildAndOpen, createPlaceOpener } = await load.open();
      return buildAndOpen({ ...deps, opener: createPlaceOpener(process.platform) }, choice);
    },
    async openInStudio(choice) {
      const { openInStudio, createPlaceOpener } = await load.open();
      return openInStudio({ ...deps, opener: createPlaceOpener(process.platform) }, choice);
    },
    async publish(choice) {
      const { publishPlace, runUploadProgram, createGitClient, createThreadGit } = await load.publish();
      return publishPlace(
        {
          ...deps,
          pending,
          hide,
          secrets: context.secrets,
          git: folder => createGitClient(folder, log, createThreadGit()),
          upload: (args, key, signal) => runUploadProgram(cli, args, key, signal),
        },
        choice,
      );
    },
    async forgetApiKey() {
      const { forgetApiKey } = await load.publish();
      return forgetApiKey(context.secrets);
    },
  });
