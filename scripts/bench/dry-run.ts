import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectAgent } from '../start/agent.ts';
import { startBridge } from '../start/bridge-process.ts';
import { startHeadlessStudio } from '../start/headless-process.ts';
import { prepareExample } from '../start/prepare-example.ts';
import { median, type Row } from './row.ts';

const ROUNDS = 15;
const WARM_UP = 3;

/** A dry run as an agent sees it: MCP over loopback, the bridge and headless Studio in processes of their own. */
export async function dryRun(): Promise<readonly Row[]> {
  await using stack = new AsyncDisposableStack();
  const dir = mkdtempSync(join(tmpdir(), 'atlas-bench-'));
  stack.defer(() => rmSync(dir, { recursive: true, force: true }));
  const project = join(dir, 'obby');
  await prepareExample(project);
  const bridge = stack.use(await startBridge(project, dir, 0));
  const studio = stack.use(await startHeadlessStudio(dir, Number(new URL(bridge.studioUrl).port)));
  await studio.connected();
  const agent = stack.use(await connectAgent(bridge.mcpUrl, bridge.token));

  const times: number[] = [];
  let changes = 0;
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const before = performance.now();
    const result = await agent.sync({ mode: 'dryrun' });
    if (round >= WARM_UP) times.push(performance.now() - before);
    if (result.status !== 'dryrun') throw new Error(`the dry run ended ${result.status}: ${result.summary}`);
    changes = result.changes.length;
  }
  return [
    {
      name: 'atlas_sync dry run of examples/obby',
      unit: 'ms',
      value: median(times),
      runs: ROUNDS,
      detail: `${changes} changes against a fresh place, headless Studio, over loopback`,
    },
  ];
}
