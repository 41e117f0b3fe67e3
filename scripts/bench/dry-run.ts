import { startExampleWorld } from '../start/example-world.ts';
import { median, type Row } from './row.ts';

const ROUNDS = 15;
const WARM_UP = 3;

/** Measures a dry run from an agent's side: MCP over loopback, with the bridge and headless Studio in separate processes. */
export async function dryRun(): Promise<readonly Row[]> {
  await using world = await startExampleWorld();
  const { agent } = world;

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
