import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { watchTurns, type WatchedTurns } from '../../../scripts/bench/project/longest-turn.ts';
import { referenceTime, slownessOf } from '../../../scripts/bench/slowness.ts';
import type { HostPorts } from '../../../src/app/app.ts';
import { attackBridge, type HostilePeer } from '../../harness/hostile-peer.ts';
import { testKey } from '../../harness/memory-studio-keys.ts';
import { allowUnpaired, startBridge, type TestBridge } from '../../harness/start-bridge.ts';

/** CPU time of one turn without garbage collection, on an idle machine. Without slices, single turns take 200 ms to 30 s. */
const MAX_OWN_MS = 20;
const REFERENCE_INTERVAL_MS = 100;
/** Twice what was measured, of which 160 MB are unfinished messages. */
const MAX_MEMORY = 800 * 1024 * 1024;
type Watched = ReturnType<WatchedTurns['end']>;
const ownMs = ({ longest }: Watched): number => longest.cpuMs - longest.gcMs;

/** Attacks with each input: on a busy machine a turn includes work of other programs. */
const MAX_ATTACKS = 3;
interface Measured {
  /** The shortest "longest turn" in all attacks. */
  readonly watched: Watched;
  readonly attacks: number;
}

async function attackOnce(port: number, peer: HostilePeer, best: Map<string, Measured>): Promise<void> {
  let [name, turns] = ['greeting', watchTurns()];
  const end = (): void => {
    const watched = turns.end();
    const { watched: before = watched, attacks = 0 } = best.get(name) ?? {};
    best.set(name, { watched: ownMs(watched) < ownMs(before) ? watched : before, attacks: attacks + 1 });
  };
  await attackBridge(port, peer, input => {
    end();
    [name, turns] = [input, watchTurns()];
  });
  end();
}

const tooLongIn = (best: ReadonlyMap<string, Measured>, maxMs: number): readonly string[] =>
  Array.from(best)
    .filter(([, { watched }]) => ownMs(watched) >= maxMs)
    .map(([name]) => name);

/** The inputs to repeat, because their turns were too long, each with the one before, whose work may not have ended. */
function suspectsIn(best: ReadonlyMap<string, Measured>, maxMs: number): readonly string[] {
  const names = [...best.keys()];
  return tooLongIn(best, maxMs)
    .filter(name => (best.get(name)?.attacks ?? 0) < MAX_ATTACKS)
    .flatMap(name => names.slice(Math.max(names.indexOf(name) - 1, 0), names.indexOf(name) + 1));
}

/** Attacks with every input, and up to twice again with those whose turns were too long. Asserts that the bridge kept its limits in one of them. */
async function assertResponsive(
  t: TestContext,
  peer: HostilePeer,
  bridgeFor: () => Promise<TestBridge>,
): Promise<void> {
  const before = process.memoryUsage().rss;
  let peak = before;
  using _sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
  const references: number[] = [];
  using _measuring = setInterval(() => references.push(referenceTime()), REFERENCE_INTERVAL_MS);
  /** A busy machine takes more CPU time for the same work. */
  const maxMs = (): number => MAX_OWN_MS * slownessOf(references);
  const best = new Map<string, Measured>();
  const portOf = async (): Promise<number> => Number(new URL((await bridgeFor()).studioUrl).port);
  await attackOnce(await portOf(), peer, best);
  const most = peak;
  // The limit can fall while more is known of the machine, so an input may be too long only later.
  for (let only = suspectsIn(best, maxMs()); only.length > 0; only = suspectsIn(best, maxMs()))
    await attackOnce(await portOf(), { ...peer, only }, best);
  const longest = Array.from(best, ([name, { watched }]) => [name, watched.longest] as const).toSorted(
    ([, a], [, b]) => b.cpuMs - a.cpuMs,
  );
  const shown = longest
    .slice(0, 5)
    .map(([name, { cpuMs, gcMs }]) => `${name} ${Math.round(cpuMs)} ms (${Math.round(gcMs)} ms garbage collection)`);
  const figures = `machine ${slownessOf(references).toFixed(1)} times slower than idle: ${shown.join(', ')}, ${Math.round((most - before) / 1024 / 1024)} MB`;
  t.diagnostic(figures);
  assert.deepEqual(tooLongIn(best, maxMs()), [], figures);
  assert.ok(most - before < MAX_MEMORY, figures);
}

const peers: readonly (readonly [string, HostilePeer, Partial<HostPorts>])[] = [
  ['unpaired', {}, {}],
  ['paired', { key: testKey }, {}],
  ['allowed', { isLive: true }, allowUnpaired()],
];
for (const [kind, peer, ports] of peers)
  test(`[P6] stays responsive and within its memory while a peer (${kind}) sends huge messages`, async t => {
    await using bridge = await startBridge(
      {
        'default.project.json': JSON.stringify({ name: 'Game', tree: { $className: 'DataModel' } }),
      },
      ports,
    );
    await assertResponsive(t, peer, async () => bridge);
    assert.equal((await bridge.studioGet('/api/rojo')).status, 200);
  });

test('[P6] stays responsive while a paired peer writes 20,000 instances into one file', async t => {
  const model = '<Item class="Folder" referent="r"><Properties><string name="Name">Parts</string></Properties></Item>';
  // Each attack has its own bridge, because the plugin of the test reads no project of that size.
  await using bridges = new AsyncDisposableStack();
  const bridgeFor = async (): Promise<TestBridge> =>
    bridges.use(
      await startBridge({
        'default.project.json': JSON.stringify({ name: 'Game', tree: { $className: 'Folder', $path: 'src' } }),
        'src/New/.gitkeep': '',
        'src/Parts.rbxmx': `<roblox version="4">${model}</roblox>`,
      }),
    );
  let last: TestBridge | undefined;
  await assertResponsive(t, { key: testKey, writesInto: ['New', 'Parts'] }, async () => (last = await bridgeFor()));
  const { disk } = last ?? (await bridgeFor());
  const made = disk.paths().find(path => /^src\/New\/Large\d+\.model\.json$/.test(path)) ?? '';
  for (const path of [made, 'src/Parts.rbxmx']) assert.match(disk.text(path) ?? path, /Part19999/);
});
