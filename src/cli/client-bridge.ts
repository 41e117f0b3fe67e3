import { newToken } from '../adapters/node/token-store.ts';
import type { Logger } from '../ports/logger.ts';
import type { CliIo } from './io.ts';
import { type ProjectBridgeOptions, startProjectBridge } from './project-bridge.ts';
import { createSharedBridge, type SharedBridge } from './shared-bridge.ts';

/** No ports: the command does not choose one, and its bridge does not listen for the plugin of Rojo. */
type ClientBridgeOptions = Pick<ProjectBridgeOptions, 'program' | 'folder' | 'settings' | 'dialect' | 'loadPluto'> & {
  readonly log: Logger;
};

/** Creates the bridge of a folder for a command that needs it only while it runs: shares that of another program, or starts one. */
export function createClientBridge(options: ClientBridgeOptions, io: CliIo): SharedBridge {
  const { folder, log } = options;
  return createSharedBridge(
    {
      folder,
      log,
      start: lastPort =>
        startProjectBridge(
          {
            ...options,
            token: newToken(),
            ports: ({ port }) => ({ port: port(), lastPort, rojoPort: undefined }),
          },
          io,
        ),
    },
    io,
  );
}
