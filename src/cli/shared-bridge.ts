import { join } from 'node:path';
import { findFirstExisting } from '../adapters/fs/project-reach.ts';
import { announcedBridges, bridgeFor } from '../adapters/node/announced-bridges.ts';
import { withFileLock } from '../adapters/node/lock-file.ts';
import { stateFolder, userStateFolder } from '../adapters/node/state-folder.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { defaultProjectNames } from '../project/project-file/project-names.ts';
import type { Logger } from '../ports/logger.ts';
import type { AnnouncedBridge } from '../protocol/announced-bridge.ts';
import type { RelayTarget } from '../transport/mcp/relay/upstream.ts';
import type { CliIo } from './io.ts';
import type { ProjectBridge } from './project-bridge.ts';
import { makeStateFolder } from '../adapters/node/make-state-folder.ts';

/** Maximum number of checks of the start lock, every 10 ms (60 s). A program holds the lock while it loads the project, which may be large. */
const MAX_START_TRIES = 6_000;
/** Interval of the checks whether a window has opened its own bridge. */
const CHECK_MS = 5_000;

export interface SharedBridgeOptions {
  /** Absolute, real folder of the project file. */
  readonly folder: string;
  /** File name of the project file, if it is not the default one; only a bridge for the same file is shared. */
  readonly projectFile?: string | undefined;
  /** Starts and announces the bridge. @param lastPort the port of a bridge that ended, so that Studio finds the new one there */
  readonly start: (lastPort: number | undefined) => Promise<ProjectBridge>;
  readonly log: Logger;
}

/** The bridge that a project folder has now. */
export type BridgeInUse =
  | { readonly kind: 'own'; readonly own: ProjectBridge }
  | { readonly kind: 'other'; readonly other: AnnouncedBridge };

/**
 * The one bridge of a project folder: that of another program, or else one in this process. A bridge of this process without an active run
 * is replaced by that of a VS Code window, because a person decides there.
 */
export interface SharedBridge extends AsyncDisposable {
  /** Finds the bridge, or starts it. @throws Error if it cannot be started; the next call tries again */
  require(): Promise<BridgeInUse>;
  /** Finds the bridge without starting one. */
  find(): Promise<BridgeInUse | undefined>;
}

/** The address and token for MCP clients. */
export const targetOf = (found: BridgeInUse): RelayTarget =>
  found.kind === 'own' ? { mcpUrl: found.own.bridge.mcpUrl, token: found.own.token } : found.other;

export function createSharedBridge({ folder, projectFile, start, log }: SharedBridgeOptions, io: CliIo): SharedBridge {
  const queue = new SerialQueue();
  const never = new AbortController().signal;
  const state = stateFolder(folder, io.env);
  let own: ProjectBridge | undefined;
  let lastPort: number | undefined;
  const checking = setInterval(() => {
    if (own !== undefined)
      queue.run(never, look).catch((error: unknown) => log.warn('bridge check failed', { reason: String(error) }));
  }, CHECK_MS);

  const announced = async (): Promise<AnnouncedBridge | undefined> => {
    const all = await announcedBridges(userStateFolder(io.env));
    // A program serves only the project of its folder, and a window serves the project that a person chose.
    const hasProject = (await findFirstExisting(folder, defaultProjectNames())) !== undefined;
    const isFor = ({ program, folder: served, projectFile: file }: AnnouncedBridge): boolean => {
      if (projectFile !== undefined) return file === projectFile && served === folder;
      if (file !== undefined && hasProject) return false;
      return program === 'vscode' || !hasProject || served.length >= folder.length;
    };
    return bridgeFor(
      folder,
      all.filter(one => one.token !== own?.token && isFor(one)),
    );
  };
  const look = async (): Promise<BridgeInUse | undefined> => {
    const other = await announced();
    if (own !== undefined) {
      const isReplaced = other?.program === 'vscode' && own.bridge.engine.current() === undefined;
      if (!isReplaced) return { kind: 'own', own };
      await stop();
    }
    if (other === undefined) return undefined;
    lastPort = Number(new URL(other.mcpUrl).port);
    return { kind: 'other', other };
  };
  const stop = async (): Promise<void> => {
    const ended = own;
    own = undefined;
    await ended?.[Symbol.asyncDispose]();
  };
  const startAlone = async (): Promise<BridgeInUse> => {
    await makeStateFolder(state);
    return withFileLock(
      join(state, 'bridge.lock'),
      async () => {
        // Another program may have started one while this one waited for the lock.
        const found = await look();
        if (found !== undefined) return found;
        own = await start(lastPort);
        return { kind: 'own', own };
      },
      MAX_START_TRIES,
    );
  };

  return {
    require: () => queue.run(never, async () => (await look()) ?? (await startAlone())),
    find: () => queue.run(never, look),
    [Symbol.asyncDispose]() {
      clearInterval(checking);
      return queue.run(never, stop);
    },
  };
}
