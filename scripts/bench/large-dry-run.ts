import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBridge } from '../../src/app/app.ts';
import { SyncAnswer } from '../../src/protocol/sync-page.ts';
import { defaultSettings } from './default-settings.ts';
import { nodeHost } from '../../src/cli/node-host.ts';
import type { Logger } from '../../src/ports/logger.ts';
import { connectAgent } from '../start/agent.ts';
import { cli } from '../start/bridge-process.ts';
import { startHeadlessStudio } from '../start/headless-process.ts';
import { generateProject } from './project/generated-project.ts';
import { longestTurn, type Turn, turnRow } from './project/longest-turn.ts';
import { median, type Row } from './row.ts';

/** 10,000 instances together with their folders, ReplicatedStorage and the DataModel. */
const SCRIPTS = 9_792;
const CHANGED = 100;
const ROUNDS = 7;
const WARM_UP = 2;

/** Compares the time of a dry run of 10,000 instances, from an agent's side, with the time of the plugin's compare command. */
export async function largeDryRun(): Promise<readonly Row[]> {
  await using stack = new AsyncDisposableStack();
  const dir = mkdtempSync(join(tmpdir(), 'atlas-bench-'));
  stack.defer(() => rmSync(dir, { recursive: true, force: true }));
  const project = stack.use(generateProject(SCRIPTS));
  const place = join(dir, 'place.rbxl');
  execFileSync(process.execPath, [cli, 'build', project.folder, '-o', place]);

  const compares: number[] = [];
  const log: Logger = {
    debug(message, fields) {
      if (message === 'Studio answered' && fields?.['signal'] === 'compared') compares.push(Number(fields['ms']));
    },
    info() {},
    warn() {},
    error: console.error,
    child: () => log,
  };
  const token = 'bench';
  const env = { XDG_STATE_HOME: dir };
  const host = await nodeHost(project.folder, join(dir, 'state'), defaultSettings, log, env);
  const bridge = await createBridge(host, { port: 0, tokens: [token], version: '0' });
  stack.defer(() => bridge.stop());
  const studio = stack.use(await startHeadlessStudio(dir, Number(new URL(bridge.studioUrl).port), place, env));
  await studio.connected();
  const agent = stack.use(await connectAgent(bridge.mcpUrl, token));
  project.change(CHANGED, 'edited text');

  const times: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const before = performance.now();
    const result = SyncAnswer.parse(await agent.call('atlas_sync', { mode: 'dryrun' }));
    times.push(performance.now() - before);
    const found = result.page?.total ?? result.changes.length;
    if (result.status !== 'dryrun' || found !== CHANGED)
      throw new Error(`the dry run ended ${result.status} with ${found} changes: ${result.summary}`);
  }
  if (compares.length !== times.length) throw new Error(`${compares.length} comparisons in ${times.length} dry runs`);
  const turns: Turn[] = [];
  // A separate loop, because measuring turns takes time.
  for (let round = 0; round < ROUNDS; round += 1)
    turns.push((await longestTurn(() => agent.sync({ mode: 'dryrun' }))).longest);
  const ratios = times.map((time, index) => time / (compares[index] ?? Number.NaN)).slice(WARM_UP);
  const ms = (values: readonly number[]): string => median(values.slice(WARM_UP)).toFixed(0);
  return [
    {
      name: "dry run of 10,000 instances against the plugin's compare",
      unit: 'ratio',
      value: median(ratios),
      runs: ROUNDS,
      limit: 1.15,
      detail: `${ms(times)} ms, compare ${ms(compares)} ms; ${CHANGED} changes, headless Studio, over loopback`,
    },
    turnRow('event loop blocked by that dry run', turns, 'bridge and agent in one process'),
  ];
}
