import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedStudioKey } from '../../src/adapters/node/json-studio-keys.ts';
import { type Bridge, createBridge } from '../../src/app/app.ts';
import { runBuild } from '../../src/cli/build.ts';
import type { CliIo } from '../../src/cli/io.ts';
import { defaultSettings } from './default-settings.ts';
import { nodeHost } from '../../src/cli/node-host.ts';
import { bundledFiles } from '../../src/headless-studio/bundled-files.ts';
import { type HeadlessStudio, startHeadlessStudio } from '../../src/headless-studio/headless-studio.ts';
import type { Logger } from '../../src/ports/logger.ts';
import { generateProject } from './project/generated-project.ts';
import { median, type Row } from './row.ts';
import { reasonText } from '../../src/protocol/reason.ts';

const SAVES = 100;
const WARM_UP = 5;
const log: Logger = { debug() {}, info() {}, warn: console.error, error: console.error, child: () => log };

interface Live extends AsyncDisposable {
  readonly studio: HeadlessStudio;
  /** A script of the project, and its path in the place. */
  readonly file: string;
  readonly path: string;
}

/** Starts Live Sync between a project on disk and headless Studio with a place that was built from it. */
async function startLive(scripts: number): Promise<Live> {
  await using ends = new AsyncDisposableStack();
  const project = generateProject(scripts);
  ends.defer(() => project[Symbol.dispose]());
  const state = mkdtempSync(join(tmpdir(), 'atlas-bench-'));
  ends.defer(() => rmSync(state, { recursive: true, force: true }));
  const place = join(state, 'place.rbxl');
  const io: CliIo = {
    out() {},
    err: console.error,
    cwd: project.folder,
    env: {},
    stop: new AbortController().signal,
    version: '0',
  };
  if ((await runBuild([project.folder, '--output', place], io)) !== 0) throw new Error('the place was not built');
  const env = { XDG_STATE_HOME: state };
  const bridge = await createBridge(await nodeHost(project.folder, state, defaultSettings, log, env), {
    port: 0,
    tokens: ['-'],
    version: '0',
  });
  ends.defer(() => bridge.stop());
  const studio = ends.use(await startHeadlessStudio({ ...bundledFiles(), place, key: installedStudioKey(env), log }));
  bridge.live.setMode('diskToStudio');
  studio.connect(Number(new URL(bridge.studioUrl).port), '127.0.0.1');
  await isLive(bridge);
  const names =
    project.paths[0]
      ?.replace(/^src\//, '')
      .replace(/\.luau$/, '')
      .split('/') ?? [];
  const owned = ends.move();
  return {
    studio,
    file: join(project.folder, project.paths[0] ?? ''),
    path: `game.ReplicatedStorage.${names.join('.')}`,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function isLive({ live }: Bridge): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = (): void => {
    const state = live.state();
    if (state.kind === 'on') resolve();
    if (state.kind === 'failed') reject(new Error(reasonText(state.reason)));
  };
  using _states = live.onDidChange(look);
  look();
  await promise;
}

/** Sorted times in milliseconds from each save until this process knows that Studio has the new script. */
async function saves({ studio, file, path }: Live): Promise<readonly number[]> {
  const times: number[] = [];
  for (let save = 0; save < WARM_UP + SAVES; save += 1) {
    const text = `return ${save}\n`;
    const seen = studio.run(`local one = ${path}
      while one.Source ~= "return ${save}\\n" do one:GetPropertyChangedSignal("Source"):Wait() end`);
    // The chunk must be waiting before the save.
    await studio.run('task.wait()');
    const before = performance.now();
    writeFileSync(file, text);
    const result = await seen;
    if (!result.ok) throw new Error(result.error.message);
    if (save >= WARM_UP) times.push(performance.now() - before);
  }
  return times.toSorted((a, b) => a - b);
}

const at = (sorted: readonly number[], share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;

/** Measures the time from a save until `Source` changes in headless Studio, in a small and in a large project. */
export async function liveScript(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const medians: number[] = [];
  for (const scripts of [100, 5_000]) {
    await using live = await startLive(scripts);
    const times = await saves(live);
    medians.push(median(times));
    rows.push({
      name: `saved script in Studio, p95, ${scripts.toLocaleString('en')} scripts`,
      unit: 'ms',
      value: at(times, 0.95),
      runs: SAVES,
      limit: 60,
      detail: `until Source has changed in headless Studio; median ${median(times).toFixed(1)} ms, longest ${at(times, 1).toFixed(1)} ms`,
    });
  }
  const [small = 1, large = 1] = medians;
  rows.push({
    name: 'the same, 5,000 scripts against 100',
    unit: 'ratio',
    value: large / small,
    runs: SAVES,
    limit: 1.2,
    detail: 'medians: the size of the project should not matter',
  });
  return rows;
}
