import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeClock } from '../../src/adapters/node/clock.ts';
import { installedStudioKey } from '../../src/adapters/node/json-studio-keys.ts';
import { createBridge } from '../../src/app/app.ts';
import { defaultSettings } from './default-settings.ts';
import { nodeHost } from '../../src/cli/node-host.ts';
import { GameTree } from '../../src/game-view/game-tree.ts';
import { bundledFiles } from '../../src/headless-studio/bundled-files.ts';
import { startHeadlessStudio } from '../../src/headless-studio/headless-studio.ts';
import type { Logger } from '../../src/ports/logger.ts';
import { longestTurn, type Turn, turnRow } from './project/longest-turn.ts';
import type { Row } from './row.ts';

const INSTANCES = 50_000;
const ROUNDS = 5;
const log: Logger = { debug() {}, info() {}, warn: console.error, error: console.error, child: () => log };
const place = fileURLToPath(new URL('../../examples/places/baseplate-566.rbxlx', import.meta.url));
const fill = `for index = 1, ${INSTANCES} do
  local part = Instance.new("Part")
  part.Name = "Part" .. (index * 7919 % ${INSTANCES})
  part.Parent = workspace
end`;

/** Measures the Game view with 50,000 instances below one parent in headless Studio: listing, searching and revealing. */
export async function gameView(): Promise<readonly Row[]> {
  await using ends = new AsyncDisposableStack();
  const dir = mkdtempSync(join(tmpdir(), 'atlas-bench-'));
  ends.defer(() => rmSync(dir, { recursive: true, force: true }));
  const project = join(dir, 'game');
  await mkdir(join(project, 'src'), { recursive: true });
  const tree = { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } };
  await writeFile(join(project, 'default.project.json'), JSON.stringify({ name: 'Game', tree }));
  const env = { XDG_STATE_HOME: dir };
  const bridge = await createBridge(await nodeHost(project, dir, defaultSettings, log, env), {
    port: 0,
    tokens: ['-'],
    version: '0',
  });
  ends.defer(() => bridge.stop());
  const studio = ends.use(await startHeadlessStudio({ ...bundledFiles(), place, key: installedStudioKey(env), log }));
  const filled = await studio.run(fill);
  if (!filled.ok) throw new Error(filled.error.message);
  const connected = Promise.withResolvers<void>();
  using _listening = bridge.studios.onDidChange(() => connected.resolve());
  studio.connect(Number(new URL(bridge.studioUrl).port), '127.0.0.1');
  await connected.promise;
  const explorer = bridge.studios.all()[0]?.explorer;
  if (explorer === undefined) throw new Error('headless Studio has no explorer');

  const { signal } = new AbortController();
  const turns: Record<'list' | 'find' | 'reveal', Turn[]> = { list: [], find: [], reveal: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const game = new GameTree({ source: explorer, side: 'studio', session: () => bridge.session(), clock: nodeClock });
    const workspace = (await game.children(undefined)).find(
      node => node.kind === 'instance' && node.name === 'Workspace',
    );
    const listed = await longestTurn(() => game.children(workspace));
    turns.list.push(listed.longest);
    if (listed.result.length === 0) throw new Error('nothing is listed');
    const found = await longestTurn(() => game.find('Part49', signal));
    turns.find.push(found.longest);
    const [hit] = found.result.hits;
    if (hit === undefined) throw new Error('nothing is found');
    const revealed = await longestTurn(() => game.nodeOfHit(hit));
    turns.reveal.push(revealed.longest);
    if (revealed.result === undefined) throw new Error('the hit is not revealed');
  }
  const note = `${INSTANCES} instances below one parent`;
  return [
    turnRow('event loop blocked by listing in the Game view', turns.list, note),
    turnRow('event loop blocked by searching in the Game view', turns.find, note),
    turnRow('event loop blocked by revealing in the Game view', turns.reveal, note),
  ];
}
