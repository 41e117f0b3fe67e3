import { followReviewsInStudio } from '../sync/review/studio-window.ts';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBundled } from '../base/is-bundled.ts';
import { announceBridge } from '../adapters/node/announced-bridges.ts';
import { nodeClock } from '../adapters/node/clock.ts';
import { stateFolder, userStateFolder } from '../adapters/node/state-folder.ts';
import { createGameTestRunner } from '../adapters/node/game-test-program.ts';
import { createRunTestsAnswers } from '../game-tests/tools/answer-run-tests.ts';
import type { LoadGameTests } from '../app/game-tests.ts';
import { type Bridge, type BridgeOptions, createBridge } from '../app/app.ts';
import type { LoadPlutoToolset } from '../pluto/tools/pluto-toolset.ts';
import type { PairingCodes } from '../ports/pairing-codes.ts';
import type { AllSettings } from '../ports/settings.ts';
import type { Logger } from '../ports/logger.ts';
import { keepSourcemap } from '../project/sourcemap/keep-sourcemap.ts';
import type { AnnouncedBridge } from '../protocol/announced-bridge.ts';
import { readCommandSettings } from './command-settings.ts';
import type { CliIo } from './io.ts';
import { nodeHost } from './node-host.ts';
import type { Dialect } from '../project/project-file/project-file.ts';
import { findProject } from '../app/find-project.ts';
import type { SettingValues } from './setting-args.ts';
import { writeCommandOutput } from './write-command-output.ts';

export interface ProjectBridgeOptions {
  /** Absolute, real folder of the project file. */
  readonly folder: string;
  /** File name of the project file in the folder; `undefined`: the first of the default names. */
  readonly projectFile?: string | undefined;
  readonly program: AnnouncedBridge['program'];
  /** The values of `--set`. */
  readonly settings: SettingValues;
  /** `undefined`: as the project file says. */
  readonly dialect: Dialect | undefined;
  /** The token that clients must send. */
  readonly token: string;
  /** The ports, which may depend on the settings. */
  readonly ports: (settings: AllSettings) => Pick<BridgeOptions, 'port' | 'rojoPort' | 'lastPort' | 'dialect'>;
  readonly log: Logger;
  readonly loadPluto: LoadPlutoToolset;
}

/** A bridge that other programs of the same user can find. Disposing removes the announcement first, then stops the bridge. */
export interface ProjectBridge extends AsyncDisposable {
  readonly bridge: Bridge;
  readonly token: string;
  /** The requested port; 0: any. */
  readonly preferredPort: number;
}

const loadGameTests: LoadGameTests = async deps =>
  createRunTestsAnswers({ ...deps, runner: createGameTestRunner(fileURLToPath(commandLine())) });

/** The program of the command line: the bundle, or its source. */
const commandLine = (): URL => new URL(isBundled(import.meta.url) ? './cli.js' : '../cli.ts', import.meta.url);

const loadStudioWindow = async (): Promise<typeof followReviewsInStudio> => followReviewsInStudio;

/** Starts the bridge of a project folder and announces it. @throws Error if it cannot listen or be announced */
export async function startProjectBridge(options: ProjectBridgeOptions, io: CliIo): Promise<ProjectBridge> {
  const { folder, program, dialect, token, log, loadPluto } = options;
  const settings = await readCommandSettings(folder, options.settings, log);
  const { folder: root, projectFile } = await findProject(join(folder, options.projectFile ?? ''), dialect);
  const host = await nodeHost(root, stateFolder(folder, io.env), settings, log, io.env);
  const ports = options.ports(settings);
  const bridge = await createBridge(
    {
      ...host,
      ...(program === 'serve' && { pairingCodes: printedCodes(io) }),
      loadPluto,
      loadGameTests,
      loadStudioWindow,
    },
    { ...ports, project: { projectFile, dialect }, tokens: [token], version: io.version },
  );
  const sourcemap = settings.sourcemapAutoWrite()
    ? keepSourcemapFile(bridge, root, join(folder, 'sourcemap.json'), io, log)
    : undefined;
  const stop = async (): Promise<void> => {
    sourcemap?.[Symbol.dispose]();
    await bridge.stop();
  };
  try {
    const announced = await announceBridge(userStateFolder(io.env), {
      folder,
      mcpUrl: bridge.mcpUrl,
      token,
      startedAt: nodeClock.date(),
      program,
      projectFile: options.projectFile,
    });
    return {
      bridge,
      token,
      preferredPort: ports.port,
      async [Symbol.asyncDispose]() {
        try {
          await announced[Symbol.asyncDispose]();
        } finally {
          await stop();
        }
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Prints pairing codes for a person at the terminal. */
const printedCodes = (io: CliIo): PairingCodes => ({
  show(code) {
    io.err(`Pairing code for Roblox Studio: ${code} (enter it in the Atlas Bridge window within 2 minutes)`);
    return { refused: new Promise(() => {}), [Symbol.dispose]: () => {} };
  },
  ended: reason =>
    io.err(reason === undefined ? 'Roblox Studio was paired' : `Roblox Studio was not paired: ${reason}`),
});

/** Keeps `sourcemap.json` up to date, as the setting `sourcemap.autoWrite` does in the editor. */
function keepSourcemapFile(bridge: Bridge, folder: string, file: string, io: CliIo, log: Logger): Disposable {
  let keeping: Disposable | undefined;
  const follow = (): void => {
    const session = bridge.session();
    if (session === undefined || keeping !== undefined) return;
    keeping = keepSourcemap(session, {
      includeNonScripts: true,
      clock: nodeClock,
      write: text => writeCommandOutput({ folder, file, command: 'sourcemap' }, new TextEncoder().encode(text), io),
      onFailure: error => log.error('failed to write the sourcemap', error),
    });
  };
  const opened = bridge.onDidChangeProject(follow);
  follow();
  return {
    [Symbol.dispose]() {
      opened[Symbol.dispose]();
      keeping?.[Symbol.dispose]();
    },
  };
}
