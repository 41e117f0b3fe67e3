import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBridge } from '../../src/app/app.ts';
import { defaultSettings } from './default-settings.ts';
import { nodeHost } from '../../src/cli/node-host.ts';
import type { Logger } from '../../src/ports/logger.ts';
import { type Agent, connectAgent } from '../start/agent.ts';
import { cli } from '../start/bridge-process.ts';
import { startHeadlessStudio } from '../start/headless-process.ts';
import { generateProject } from './project/generated-project.ts';
import { longestTurn, type Turn, turnRow } from './project/longest-turn.ts';
import { median, type Row } from './row.ts';

/** Together with their folders, 10,000 instances. */
const SCRIPTS = 9_792;
const ROUNDS = 3;

/** The time that an agent waits when everything differs, against the plugin's part of it. */
export async function manyChanges(): Promise<readonly Row[]> {
  return [...(await dryRunOfEdits()), ...(await pushOfNewScripts())];
}

/** A bridge with an agent and headless Studio; `ms` has the time of each answer of Studio by its name, in order. */
async function openWorld(stack: AsyncDisposableStack, project: string, placeOf: string) {
  const dir = mkdtempSync(join(tmpdir(), 'atlas-bench-'));
  stack.defer(() => rmSync(dir, { recursive: true, force: true }));
  const place = join(dir, 'place.rbxl');
  execFileSync(process.execPath, [cli, 'build', placeOf, '-o', place]);
  const ms: Record<string, number[]> = {};
  const log: Logger = {
    debug(message, fields) {
      if (message === 'Studio answered') (ms[String(fields?.['signal'])] ??= []).push(Number(fields?.['ms']));
    },
    info() {},
    warn() {},
    error: console.error,
    child: () => log,
  };
  const env = { XDG_STATE_HOME: dir };
  const host = await nodeHost(project, join(dir, 'state'), defaultSettings, log, env);
  const bridge = await createBridge(host, { port: 0, tokens: ['bench'], version: '0' });
  stack.defer(() => bridge.stop());
  const studio = stack.use(await startHeadlessStudio(dir, Number(new URL(bridge.studioUrl).port), place, env));
  await studio.connected();
  return { ms, agent: stack.use(await connectAgent(bridge.mcpUrl, 'bench')) };
}

async function dryRunOfEdits(): Promise<readonly Row[]> {
  await using stack = new AsyncDisposableStack();
  const project = stack.use(generateProject(SCRIPTS));
  const { ms, agent } = await openWorld(stack, project.folder, project.folder);
  project.change(SCRIPTS, 'edited text');
  const dryRun = () => syncToEnd(agent, { mode: 'dryrun' });
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = performance.now();
    const { page } = await dryRun();
    times.push(performance.now() - before);
    expectTotal(page, SCRIPTS);
  }
  const turns: Turn[] = [];
  // A separate loop, because measuring turns takes time.
  for (let round = 0; round < ROUNDS; round += 1) turns.push((await longestTurn(dryRun)).longest);
  const compares = ms['compared'] ?? [];
  // The first round reads every file.
  const ratios = times.map((time, at) => time / (compares[at] ?? Number.NaN)).slice(1);
  return [
    {
      name: "first page of a dry run with 10,000 changes against the plugin's compare",
      unit: 'ratio',
      value: median(ratios),
      runs: ROUNDS,
      limit: 1.15,
      detail: `${median(times.slice(1)).toFixed(0)} ms, compare ${median(compares.slice(1, ROUNDS + 1)).toFixed(0)} ms; headless Studio, over loopback`,
    },
    turnRow('event loop blocked by a dry run with 10,000 changes', turns, 'bridge and agent in one process'),
  ];
}

async function pushOfNewScripts(): Promise<readonly Row[]> {
  await using stack = new AsyncDisposableStack();
  const project = stack.use(generateProject(SCRIPTS));
  const empty = stack.use(generateProject(1));
  const { ms, agent } = await openWorld(stack, project.folder, empty.folder);
  const { page } = await syncToEnd(agent, { mode: 'dryrun', patchType: 'Add', summary: true });
  const digest = (page as { readonly digest: string }).digest;
  const push = () => syncToEnd(agent, { overrides: [{ direction: 'push', patchType: 'Add', digest }] });
  const { longest, ms: elapsed, result } = await longestTurn(push);
  const applies = ms['applied'] ?? [];
  const apply = applies.reduce((sum, one) => sum + one, 0);
  if (result['status'] !== 'success') throw new Error(`the push ended: ${String(result['summary'])}`);
  return [
    {
      name: "push of 10,000 new scripts against the plugin's apply",
      unit: 'ratio',
      value: elapsed / apply,
      runs: 1,
      limit: 3,
      detail: `${elapsed.toFixed(0)} ms, of these compare ${(ms['compared'] ?? []).at(-1)} ms, apply ${apply} ms; verified by hash`,
    },
    turnRow('event loop blocked by that push', [longest], 'bridge and agent in one process'),
  ];
}

/** A call without progress is answered before a long sync ends. */
async function syncToEnd(agent: Agent, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  let answer = await agent.call('atlas_sync', input);
  while (answer['status'] === 'review_pending')
    answer = await agent.call('operation_wait', { operationId: answer['runId'] });
  return answer;
}

function expectTotal(page: unknown, total: number): void {
  const found = (page as { readonly total?: number } | undefined)?.total;
  if (found !== total) throw new Error(`${found} changes instead of ${total}`);
}
