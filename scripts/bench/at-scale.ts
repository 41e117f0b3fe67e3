import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedStudioKey } from '../../src/adapters/node/json-studio-keys.ts';
import { type Bridge, createBridge } from '../../src/app/app.ts';
import { runBuild } from '../../src/cli/build.ts';
import { defaultSettings } from '../../src/cli/default-settings.ts';
import { nodeHost } from '../../src/cli/node-host.ts';
import { bundledFiles } from '../../src/headless-studio/bundled-files.ts';
import { startHeadlessStudio } from '../../src/headless-studio/headless-studio.ts';
import type { Logger } from '../../src/ports/logger.ts';
import { processCpuTime } from './cpu-time.ts';
import { collectGarbage } from './project/collect-garbage.ts';
import { type GeneratedProject, generateProject } from './project/generated-project.ts';
import type { Row } from './row.ts';

/** Ten times as many scripts may take this many times as long. */
const MAX_GROWTH = 11;
const MAX_BRIDGE_BYTES = 1024 ** 3;

/** Compares a cold load of 100,000 scripts with one of 10,000, and pushes 10,000 new scripts. */
export async function atScale(): Promise<readonly Row[]> {
  return [...(await coldLoads()), await newScripts()];
}

async function coldLoads(): Promise<readonly Row[]> {
  const loads: { readonly ms: number; readonly memory: number }[] = [];
  for (const scripts of [10_000, 100_000]) {
    using project = generateProject(scripts);
    collectGarbage();
    const before = processCpuTime();
    using session = await project.open();
    const ms = processCpuTime() - before;
    collectGarbage();
    loads.push({ ms, memory: process.memoryUsage().rss });
    if (Array.from(session.descendants(session.rootId)).length < scripts) throw new Error('not everything was loaded');
  }
  const [small, large] = loads;
  if (small === undefined || large === undefined) throw new Error('no loads');
  return [
    growthRow('cold load of 100,000 scripts against 10,000', large.ms, small.ms),
    {
      name: 'memory of a process that has loaded 100,000 scripts',
      unit: 'kB',
      value: large.memory / 1024,
      runs: 1,
      limit: MAX_BRIDGE_BYTES / 1024,
      detail: `${(small.memory / 1e6).toFixed(0)} MB with 10,000 scripts`,
    },
  ];
}

/** One run each: a run with 100,000 scripts takes a minute. */
const growthRow = (name: string, large: number, small: number): Row => ({
  name,
  unit: 'ratio',
  value: large / small,
  runs: 1,
  limit: MAX_GROWTH,
  detail: `CPU time of all threads ${large.toFixed(0)} ms, ${small.toFixed(0)} ms`,
});

interface SyncedProject extends AsyncDisposable {
  readonly engine: Bridge['engine'];
  /** The milliseconds that the plugin took for the answers with that signal. */
  answered(signal: string): readonly number[];
}

/** Connects headless Studio in this process, with a place that is built from `placeOf`, to a bridge for `project`. */
async function startSynced(project: GeneratedProject, placeOf: string): Promise<SyncedProject> {
  await using ends = new AsyncDisposableStack();
  const state = mkdtempSync(join(tmpdir(), 'atlas-bench-'));
  ends.defer(() => rmSync(state, { recursive: true, force: true }));
  const place = join(state, 'place.rbxl');
  const io = { out() {}, err: console.error, cwd: state, env: {}, stop: new AbortController().signal, version: '0' };
  if ((await runBuild([placeOf, '--output', place], io)) !== 0) throw new Error('the place was not built');
  const answers: { readonly signal: unknown; readonly ms: number }[] = [];
  const log: Logger = {
    debug(message, fields) {
      if (message === 'Studio answered') answers.push({ signal: fields?.['signal'], ms: Number(fields?.['ms']) });
    },
    info() {},
    warn() {},
    error: console.error,
    child: () => log,
  };
  const env = { XDG_STATE_HOME: state };
  const host = await nodeHost(project.folder, state, defaultSettings, log, env);
  const bridge = await createBridge(host, { port: 0, tokens: ['bench'], version: '0' });
  ends.defer(() => bridge.stop());
  const studio = ends.use(await startHeadlessStudio({ ...bundledFiles(), place, key: installedStudioKey(env), log }));
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (bridge.studios.all().length > 0) resolve();
  };
  using _connected = bridge.studios.onDidChange(look);
  studio.connect(Number(new URL(bridge.studioUrl).port), '127.0.0.1');
  look();
  await promise;
  const owned = ends.move();
  return {
    engine: bridge.engine,
    answered: signal => answers.filter(answer => answer.signal === signal).map(({ ms }) => ms),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Until the run has ended: a tool would answer earlier. */
async function syncNow({ engine }: SyncedProject): Promise<void> {
  const run = engine.start({ mode: 'fastfail', overrides: [], requestedBy: 'bench', canDecide: false });
  const { status, summary } = await run.result;
  if (status !== 'success') throw new Error(`the sync ended ${status}: ${summary}`);
}

async function newScripts(): Promise<Row> {
  const times: number[] = [];
  let applied = 0;
  for (const scripts of [1_000, 10_000]) {
    using project = generateProject(scripts);
    using empty = generateProject(1);
    // Files that git does not know are pushed by default.
    execFileSync('git', ['init', '--quiet', project.folder]);
    await using synced = await startSynced(project, empty.folder);
    const before = performance.now();
    await syncNow(synced);
    times.push(performance.now() - before);
    applied = synced.answered('applied').reduce((sum, ms) => sum + ms, 0);
  }
  const [small = 0, large = 0] = times;
  return {
    name: "push of 10,000 new scripts against the plugin's own apply",
    unit: 'ratio',
    value: large / applied,
    runs: 1,
    limit: 3,
    detail: `wall time ${large.toFixed(0)} ms, ${applied} ms in the plugin; ${small.toFixed(0)} ms for 1,000`,
  };
}
