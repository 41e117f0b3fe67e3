import { followReviewsInStudio } from '../../src/sync/review/studio-window.ts';
import { nodeClock } from '../../src/adapters/node/clock.ts';
import { nodeHasher } from '../../src/adapters/node/hasher.ts';
import { nodeInflate } from '../../src/adapters/node/inflate.ts';
import { inProcessConverter } from '../../src/project/file-kinds/convert-data.ts';
import { nodePairingCrypto } from '../../src/adapters/node/pairing-crypto.ts';
import { nodeRandom } from '../../src/adapters/node/random.ts';
import { createLive } from '../../src/app/live.ts';
import { createBridge, type Bridge, type BridgeOptions, type HostPorts } from '../../src/app/app.ts';
import type { Settings } from '../../src/ports/settings.ts';
import type { StudioDialect } from '../../src/protocol/studio/messages.ts';
import { decodeMsgpack } from '../../src/protocol/msgpack/decode.ts';
import { defaultSettings } from './default-settings.ts';
import { FakeGit } from './fake-git.ts';
import { FakePlugin } from './fake-plugin.ts';
import type { PlaceInstance } from './fake-studio.ts';
import { connectFakeStudio, type ConnectedStudio } from './connect-fake-studio.ts';
import { LegacyStudio } from './legacy-studio.ts';
import { until } from './until.ts';
import { callTool, connectClient } from './mcp-client.ts';
import { MemoryTextStore } from './memory-text-store.ts';
import { memoryRunLock } from './memory-run-lock.ts';
import { localMerger } from './local-merger.ts';
import { memoryStudioKeys } from './memory-studio-keys.ts';
import { MemoryBaseStore } from './memory-base-store.ts';
import { MemoryFileSystem } from './memory-file-system.ts';
import { MemoryJournalStore } from './memory-journal-store.ts';
import { memoryLog } from './memory-log.ts';
import { rootHost } from './root-host.ts';
import { reflection } from './reflection.ts';

export interface TestBridge extends AsyncDisposable, Bridge {
  readonly disk: MemoryFileSystem;
  readonly git: FakeGit;
  readonly journal: MemoryJournalStore;
  readonly log: ReturnType<typeof memoryLog>;
  readonly token: string;
  /** Calls a tool through the official client, connecting it on first use. */
  call(name: string, args?: Record<string, unknown>): ReturnType<typeof callTool>;
  /** GETs a path below `studioUrl` as a plugin does: no extra headers, msgpack answer. */
  studioGet(path: string): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Connects an unmodified plugin; `dialect` chooses its port. */
  connectPlugin(dialect: StudioDialect): Promise<FakePlugin>;
  /** Connects an unmodified plugin with a place to the command stream; resolves once it is current. */
  connectLegacy(place: Record<string, PlaceInstance>): Promise<LegacyStudio>;
  /** Connects a Studio over a real socket; resolves once the bridge has answered its greeting. */
  connectStudio(place?: Record<string, PlaceInstance>, hello?: object): Promise<ConnectedStudio>;
}

/** Lets unmodified plugins connect, as a person can in the settings. */
export const allowUnpaired = (changed: Partial<Settings> = {}): Pick<HostPorts, 'settings'> => ({
  settings: defaultSettings({ studioUnpaired: () => 'allow', ...changed }),
});

/** Starts the whole bridge over `files` in memory, on a free loopback port. */
export async function startBridge(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  changed: Partial<HostPorts> = {},
  options: Partial<BridgeOptions> = {},
): Promise<TestBridge> {
  const disk = new MemoryFileSystem(files);
  const git = new FakeGit();
  const texts = new MemoryTextStore();
  const journal = new MemoryJournalStore(texts);
  const log = memoryLog();
  const token = 'the-token-of-the-test';
  const bridge = await createBridge(
    {
      files: disk,
      watcher: disk,
      git,
      journal,
      bases: new MemoryBaseStore(),
      texts,
      loadLive: async () => createLive,
      loadStudioWindow: async () => followReviewsInStudio,
      merger: localMerger,
      runLock: memoryRunLock(),
      log,
      clock: nodeClock,
      random: nodeRandom,
      hasher: nodeHasher,
      inflate: nodeInflate,
      converter: inProcessConverter,
      card: async () => '<!doctype html>',
      settings: defaultSettings(),
      studioKeys: memoryStudioKeys(),
      pairingCrypto: nodePairingCrypto,
      reflection,
      roots: rootHost(),
      ...changed,
    },
    { port: 0, rojoPort: 0, tokens: [token], version: '1.2.3', ...options },
  );
  const ends: AsyncDisposable[] = [];
  const owned = <T extends AsyncDisposable>(one: T): T => {
    ends.push(one);
    return one;
  };
  let connecting: ReturnType<typeof connectClient> | undefined;
  return {
    ...bridge,
    disk,
    git,
    journal,
    log,
    token,
    async call(name, args) {
      const { client } = await (connecting ??= connectClient(bridge.mcpUrl, token).then(owned));
      return callTool(client, name, args);
    },
    async studioGet(path) {
      const response = await fetch(`${bridge.studioUrl}${path}`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { status: response.status, body: decodeMsgpack(bytes) };
    },
    async connectPlugin(dialect) {
      const plugin = owned(new FakePlugin(dialect === 'rojo' ? (bridge.rojoUrl() ?? '') : bridge.studioUrl));
      await plugin.connect();
      return plugin;
    },
    async connectLegacy(place) {
      const studio = owned(await LegacyStudio.connect(bridge.studioUrl, place));
      await until(() => bridge.studios.all().length > 0);
      return studio;
    },
    connectStudio: async (place = {}, hello = {}) => owned(await connectFakeStudio(bridge.studioUrl, place, hello)),
    async [Symbol.asyncDispose]() {
      for (const end of ends.toReversed()) await end[Symbol.asyncDispose]();
      await bridge.stop();
    },
  };
}
