import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longestTurn } from '../../../scripts/bench/project/longest-turn.ts';
import { nodeClock } from '../../../src/adapters/node/clock.ts';
import { nodeRandom } from '../../../src/adapters/node/random.ts';
import { runInSlices, TimeSlice } from '../../../src/base/time-slice.ts';
import { findDifferences } from '../../../src/game-view/differences.ts';
import { MAX_ROWS } from '../../../src/game-view/game-node.ts';
import { GameTree } from '../../../src/game-view/game-tree.ts';
import { createProjectSource } from '../../../src/game-view/place-source.ts';
import { rowText } from '../../../src/game-view/vscode/game-rows.ts';
import { Hello, requiredCapabilities } from '../../../src/protocol/studio/stream.ts';
import { explorerCapability } from '../../../src/protocol/studio/explorer.ts';
import { createChannelLink } from '../../../src/studio/channel-link.ts';
import type { PendingChange } from '../../../src/sync/pending-changes.ts';
import { defaultSettings } from '../../harness/default-settings.ts';
import { memoryChannel } from '../../harness/memory-channel.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { openProject } from '../../harness/project-world.ts';

const COUNT = 50_000;
const PART = 500;
/** CPU time of one turn with garbage collection, in milliseconds. */
const MAX_MS = 20;
/** Repeated, because the first round also compiles the code. */
const ROUNDS = 3;
const { signal } = new AbortController();
const l10n = { t: (text: string) => text };

const nameOf = (index: number): string => `Brick${(index * 7919) % COUNT}`;

/** The project: `ReplicatedStorage/Bricks` with all instances in one model file. */
const openLarge = () =>
  openProject({
    'default.project.json': JSON.stringify({
      name: 'Large',
      tree: { $className: 'DataModel', ReplicatedStorage: { Bricks: { $path: 'Bricks.model.json' } } },
    }),
    'Bricks.model.json': JSON.stringify({
      className: 'Folder',
      children: Array.from({ length: COUNT }, (_, index) => ({ name: nameOf(index), className: 'Part' })),
    }),
  });

/** A Studio that lists the children of `ReplicatedStorage/Bricks` in parts, one in each turn. */
function connectLarge(refOf: (index: number) => string) {
  const { channel, peer } = memoryChannel();
  channel.liftLimit();
  const parts = Array.from({ length: COUNT / PART }, (_, part) =>
    Array.from({ length: PART }, (_, index) => {
      const at = part * PART + index;
      return { id: `b${at}`, name: nameOf(at), className: 'Part', childCount: 0, ref: refOf(at) };
    }),
  ).map((instances, part) =>
    JSON.stringify({ type: part === COUNT / PART - 1 ? 'listed' : 'listedPart', requestId: 'ID', instances }),
  );
  const above = (id: string, className: string, childCount: number) => [{ id, name: id, className, childCount }];
  let answered = 0;
  let isAnswering = false;
  const answer = async (): Promise<void> => {
    if (isAnswering) return;
    isAnswering = true;
    for (; answered < peer.received.length; answered += 1) {
      const { type, requestId, id } = JSON.parse(peer.received[answered] ?? '') as Record<string, string>;
      if (type !== 'children' || requestId === undefined) continue;
      peer.send(JSON.stringify({ type: 'received', requestId }));
      const frames =
        id === undefined
          ? [JSON.stringify({ type: 'listed', requestId, instances: above('rs', 'ReplicatedStorage', 1) })]
          : id === 'rs'
            ? [JSON.stringify({ type: 'listed', requestId, instances: above('Bricks', 'Folder', COUNT) })]
            : parts.map(frame => frame.replace('"ID"', JSON.stringify(requestId)));
      for (const frame of frames) {
        peer.send(frame);
        await new Promise(setImmediate);
      }
    }
    isAnswering = false;
  };
  const timer = setInterval(() => void answer(), 1);
  const link = createChannelLink(
    channel,
    {
      handle: 'studio-1',
      epoch: 1,
      hello: Hello.parse({ type: 'hello', capabilities: [...requiredCapabilities, explorerCapability] }),
    },
    { clock: nodeClock, random: nodeRandom, settings: defaultSettings(), log: memoryLog() },
  );
  return { link, [Symbol.dispose]: () => clearInterval(timer) };
}

test('[P6] shows and searches a place of 50,000 instances without a turn above 20 ms', async t => {
  using world = await openLarge();
  const bricks = world.at('ReplicatedStorage/Bricks');
  const { session } = world;
  using studio = connectLarge(index => bricks.children[index] ?? '');
  const { explorer } = studio.link;
  assert.ok(explorer);
  const changes = bricks.children.slice(0, COUNT / 5).map((id, index): PendingChange => {
    const [path, more] = [
      `ReplicatedStorage/Bricks/${nameOf(index)}`,
      { fsPath: null, choice: null, agent: null, hasSource: false },
    ];
    return { id, path, className: 'Part', patchType: 'Edit', defaultReason: 'no_git', reason: null, ...more };
  });
  const best = new Map<string, number>();
  const measure = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const { longest, result } = await longestTurn(work);
    best.set(name, Math.min(best.get(name) ?? Infinity, longest.cpuMs));
    return result;
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const game = new GameTree({ source: explorer, side: 'studio', session: () => session, clock: nodeClock });
    const differences = await measure('assign the differences', () =>
      runInSlices(findDifferences(changes, session), new TimeSlice(nodeClock)),
    );
    game.setDifferences(differences, true);
    const [storage] = await game.children(undefined);
    const [folder] = await game.children(storage);
    const ranges = await measure('list the children', () => game.children(folder));
    assert.equal(ranges.length, COUNT / 250);
    const listed = await game.children(ranges[0]);
    assert.ok(folder && listed.length <= MAX_ROWS);
    const rows = await measure('draw the rows of a range', async () =>
      listed.map(node => rowText(node, game, undefined, l10n)),
    );
    assert.match(rows[0]?.description ?? '', /^Part · (?:differs|synced)$/);
    const last = bricks.children.at(-1);
    assert.ok(last);
    const node = await measure('reveal an instance', () => game.nodeOf(last));
    assert.equal(node?.ref, last);
    const project = new GameTree({
      source: createProjectSource(session, nodeClock),
      side: 'disk',
      session: () => session,
      clock: nodeClock,
    });
    await measure('list the project', async () => {
      const [top] = await project.children(undefined);
      const [below] = await project.children(top);
      return await project.children(below);
    });
    const { hits } = await measure('search the project', () => project.find('brick49999', signal));
    assert.equal(hits.length, 1);
  }
  const figures = Array.from(best, ([name, ms]) => `${name} ${ms.toFixed(1)} ms`).join(', ');
  t.diagnostic(figures);
  assert.deepEqual(
    Array.from(best).filter(([, ms]) => ms > MAX_MS),
    [],
    figures,
  );
});
