import { nodeHasher } from '../../src/adapters/node/hasher.ts';
import { connectHeadless } from './connect-headless.ts';
import { defaultSettings } from './default-settings.ts';
import { MemoryBaseStore } from './memory-base-store.ts';
import { startBridge } from './start-bridge.ts';
import { until } from './until.ts';
import { formatSentence } from '../../src/base/sentence.ts';

const projectFile = {
  name: 'Game',
  tree: { $className: 'DataModel', ServerScriptService: { $path: 'server' } },
};
const files = {
  'default.project.json': JSON.stringify(projectFile),
  'server/Main.server.luau': 'print("same")\n',
  'server/Other.server.luau': 'print("other")\n',
};
const SETUP = `
for name, source in { Main = 'print("same")\\n', Other = 'print("other")\\n' } do
  local script = Instance.new("Script") script.Name = name script.Source = source
  script.Parent = game:GetService("ServerScriptService")
end`;
export const MAIN = 'game.ServerScriptService.Main.Source';

/**
 * The bridge in a two-way live session with headless Studio, over a place that equals the files: the scripts Main and Other in
 * ServerScriptService.
 *
 * @param project more fields of the project file
 * @param changed other ports of the bridge
 */
export async function liveWorld(project: object = {}, changed: Parameters<typeof startBridge>[1] = {}) {
  const bases = new MemoryBaseStore();
  const settings = defaultSettings({ live: () => 'twoWay' });
  const all = { ...files, 'default.project.json': JSON.stringify({ ...projectFile, ...project }) };
  const bridge = await startBridge(all, { settings, bases, ...changed });
  const needed: string[] = [];
  const written: string[] = [];
  bridge.live.onDidNeedSync(reason => needed.push(formatSentence(reason)));
  bridge.live.onDidWriteStructure(({ paths }) => written.push(...paths));
  const { studio, lua, untilLua } = await connectHeadless(bridge, SETUP);
  await until(
    () => bridge.live.state().kind === (bridge.live.mode() === 'off' ? 'off' : 'on') && bridge.studios.all().length > 0,
  );
  const sync = (mode: 'dryrun' | 'standard') =>
    bridge.engine.start({ mode, overrides: [], requestedBy: 'test' }).result;
  return {
    bridge,
    bases,
    lua,
    /** Reasons for which Live Sync asked a person. */
    needed,
    /** Instances of Studio that Live Sync wrote to new files. */
    written,
    /** Resolves when a file has the text, or does not exist. */
    untilText: (path: string, text: string | undefined) => until(() => bridge.disk.text(path) === text),
    untilLua,
    sync,
    /** The reason for the default of each change, by path. */
    async reasons() {
      const { changes } = await sync('dryrun');
      return Object.fromEntries(changes.map(({ path, defaultReason }) => [path.split('/').at(-1), defaultReason]));
    },
    async save(name: string, text: string) {
      bridge.disk.set(`server/${name}`, text);
      await bridge.session()?.refresh(new AbortController().signal);
    },
    /** Resolves when the base of a script has the text. */
    untilLearned: (name: string, text: string) =>
      until(async () => {
        const [states] = await Promise.all(bases.places().map(one => bases.load(one)));
        return states?.get(`ServerScriptService/${name}`)?.source === nodeHasher.gitBlob(Buffer.from(text));
      }),
    async [Symbol.asyncDispose]() {
      await studio[Symbol.asyncDispose]();
      await bridge[Symbol.asyncDispose]();
    },
  };
}
