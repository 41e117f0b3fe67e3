import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { connectAgent } from '../start/agent.ts';
import { cli, startBridge } from '../start/bridge-process.ts';
import { startHeadlessStudio } from '../start/headless-process.ts';
import { generateProject } from '../bench/project/generated-project.ts';
import { useOwnState } from '../set-up/own-state.ts';

/** The bridge process after a number of syncs. */
export interface SteadySample {
  readonly syncs: number;
  /** Bytes after garbage collection: the heap, and what it refers to outside. */
  readonly memory: number;
  /** CPU time of one sync in milliseconds: the mean of all syncs since the last sample. */
  readonly cpuMs: number;
}

const SCRIPTS = 50;
/** A run of hours shares the machine with other programs. */
const MAX_CALL_MS = 600_000;

/**
 * Syncs one edit after another through `atlas-bridge serve` and headless Studio, in separate processes: by turns a saved file and an edit in
 * Studio. `dist` must contain a build.
 *
 * @param syncs number of syncs, rounded down to a multiple of `samples`
 * @param samples at least 2
 * @throws Error for a sync that does not succeed
 */
export async function steadySyncs(
  syncs: number,
  samples: number,
  report: (sample: SteadySample) => void = () => undefined,
): Promise<readonly SteadySample[]> {
  useOwnState();
  await using stack = new AsyncDisposableStack();
  const dir = mkdtempSync(join(tmpdir(), 'atlas-steady-'));
  stack.defer(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const project = stack.use(generateProject(SCRIPTS));
  const place = join(dir, 'place.rbxl');
  execFileSync(process.execPath, [cli, 'build', project.folder, '-o', place]);
  execFileSync('git', ['init', '--quiet', project.folder]);
  const question = join(dir, 'usage');
  const bridge = stack.use(await startBridge(project.folder, dir, 0, usageArgs(question)));
  const studio = stack.use(await startHeadlessStudio(dir, Number(new URL(bridge.studioUrl).port), place));
  await studio.connected();
  const agent = stack.use(await connectAgent(bridge.mcpUrl, bridge.token, MAX_CALL_MS));
  const found: SteadySample[] = [];
  const perSample = Math.floor(syncs / samples);
  await agent.sync({ mode: 'fastfail' });
  let last = await usageOf(question);
  for (let done = 1; done <= perSample * samples; done += 1) {
    const script = Math.floor(done / 2) % SCRIPTS;
    const path = project.paths[script];
    if (path === undefined) throw new Error('the project has no scripts');
    const text = `-- edit ${done}\nreturn {}\n`;
    if (done % 2 === 0) writeFileSync(join(project.folder, path), text);
    else
      await studio.run(
        `for _, at in game:GetService("ReplicatedStorage"):GetDescendants() do if at.Name == "Script${script}" then at.Source = ${JSON.stringify(text)} end end`,
      );
    const { status, summary } = await agent.syncToEnd({ mode: 'fastfail' });
    if (status !== 'success') throw new Error(`sync ${done} ended ${status}: ${summary}`);
    if (done % perSample !== 0) continue;
    const usage = await usageOf(question);
    const sample = { syncs: done, memory: usage.memory, cpuMs: (usage.cpuMs - last.cpuMs) / perSample };
    // The garbage collection of the measurement is not part of the syncs.
    last = await usageOf(question);
    found.push(sample);
    report(sample);
  }
  return found;
}

const Usage = z.object({ memory: z.number(), cpuMs: z.number() });

/**
 * Makes a process answer each file `question` with a file of its usage. Files work on every system, unlike signals. The threads of the
 * process import the module too, but have separate memory.
 */
function usageArgs(question: string): readonly string[] {
  const module = `
    import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
    import { isMainThread } from 'node:worker_threads';
    const question = ${JSON.stringify(question)};
    if (isMainThread) setInterval(() => {
      if (!existsSync(question)) return;
      rmSync(question);
      const { user, system } = process.cpuUsage();
      gc();
      gc();
      const { heapUsed, external } = process.memoryUsage();
      writeFileSync(question + '.part', JSON.stringify({ memory: heapUsed + external, cpuMs: (user + system) / 1000 }));
      renameSync(question + '.part', question + '.json');
    }, 50).unref();`;
  return ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(module)}`];
}

async function usageOf(question: string): Promise<z.infer<typeof Usage>> {
  const answer = `${question}.json`;
  rmSync(answer, { force: true });
  writeFileSync(question, '');
  for (const until = performance.now() + 60_000; performance.now() < until; await delay(20))
    if (existsSync(answer)) return Usage.parse(JSON.parse(readFileSync(answer, 'utf8')));
  throw new Error('the bridge did not report its memory within 60 s');
}

/** How much more the last sample has than the second one; the first contains the warm-up. */
export const growthOf = (samples: readonly SteadySample[], of: 'memory' | 'cpuMs'): number =>
  (samples.at(-1)?.[of] ?? Number.NaN) / (samples[1]?.[of] ?? Number.NaN);
