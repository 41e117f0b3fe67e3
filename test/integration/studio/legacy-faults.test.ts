import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JournalRecord } from '../../../src/protocol/journal/journal-record.ts';
import type { SyncResult } from '../../../src/protocol/sync-result.ts';
import { cutSync } from '../../harness/cut-sync.ts';
import { type PlaceInstance } from '../../harness/fake-studio.ts';
import { LegacyStudio } from '../../harness/legacy-studio.ts';
import { allowUnpaired, startBridge, type TestBridge } from '../../harness/start-bridge.ts';
import { StudioProxy } from '../../harness/studio-proxy.ts';
import { until } from '../../harness/until.ts';

const files = {
  'default.project.json': JSON.stringify({
    name: 'harbor',
    tree: { $className: 'DataModel', ServerScriptService: { $path: 'src' } },
  }),
  'src/Pushed.luau': 'pushed, disk',
  'src/Pulled.luau': 'pulled, disk',
  'src/New.luau': 'new, disk',
};
const S = 'ServerScriptService';
const place: Record<string, PlaceInstance> = {
  [S]: { className: S },
  [`${S}/Pushed`]: { className: 'ModuleScript', source: 'pushed, Studio' },
  [`${S}/Pulled`]: { className: 'ModuleScript', source: 'pulled, Studio' },
};
const texts = ['pushed, disk', 'pulled, disk', 'new, disk', 'pushed, Studio', 'pulled, Studio'];

interface Story extends AsyncDisposable {
  readonly bridge: TestBridge;
  readonly proxy: StudioProxy;
  studio: LegacyStudio;
  connect(from: Record<string, PlaceInstance>): Promise<void>;
}

async function story(): Promise<Story> {
  await using ends = new AsyncDisposableStack();
  const bridge = ends.use(await startBridge(files, allowUnpaired()));
  const proxy = ends.use(await StudioProxy.start(bridge.studioUrl));
  const connect = async (from: Record<string, PlaceInstance>, owner: AsyncDisposableStack): Promise<LegacyStudio> => {
    const studio = owner.use(await LegacyStudio.connect(`http://127.0.0.1:${proxy.port}`, from));
    await until(() => bridge.studios.all().length > 0);
    return studio;
  };
  const studio = await connect(place, ends);
  const owned = ends.move();
  const story: Story = {
    bridge,
    proxy,
    studio,
    async connect(from) {
      story.studio = await connect(from, owned);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  return story;
}

const sync = ({ bridge, proxy }: Story, cutAt = 0): Promise<SyncResult> => cutSync(bridge, proxy, /Pulled$/, cutAt);

async function assertNothingLost({ bridge, studio }: Story): Promise<void> {
  const kept = new Set<string | undefined>();
  for (const name of ['Pushed', 'Pulled', 'New'])
    kept.add(bridge.disk.text(`src/${name}.luau`)).add(studio.place.source(`${S}/${name}`));
  for (const { runId, record } of await bridge.journal.list())
    for (const { studio: side, files: written } of JournalRecord.parse(record).items) {
      kept.add(side?.source);
      for (const { blob } of written)
        if (blob !== null) kept.add(new TextDecoder().decode(await bridge.journal.readBlob(runId, blob)));
    }
  for (const text of texts) assert.ok(kept.has(text), `"${text}" is lost`);
}

const conversation = await (async () => {
  await using whole = await story();
  const result = await sync(whole);
  assert.equal(result.status, 'success', JSON.stringify(result.changes));
  return [...whole.proxy.passed];
})();

for (const [index, message] of conversation.entries())
  test(`loses nothing when an unmodified plugin is cut off at message ${index + 1}, ${message}`, async () => {
    await using cut = await story();
    const result = await sync(cut, index + 1);
    assert.equal(result.status, 'disconnected');
    assert.equal(cut.bridge.engine.current(), undefined);
    await cut.studio.closed;
    await cut.studio.idle();
    await until(() => cut.bridge.studios.all().length === 0);
    await assertNothingLost(cut);

    await cut.connect(Object.fromEntries(cut.studio.place.place));
    const again = await sync(cut);
    assert.ok(again.status === 'success' || again.status === 'empty', JSON.stringify(again.changes));
    const studio = cut.studio.place;
    assert.deepEqual(
      ['Pushed', 'Pulled', 'New'].map(name => studio.source(`${S}/${name}`)),
      ['pushed, disk', 'pulled, Studio', 'new, disk'],
    );
    assert.equal(cut.bridge.disk.text('src/Pulled.luau'), 'pulled, Studio');
    await assertNothingLost(cut);
  });
