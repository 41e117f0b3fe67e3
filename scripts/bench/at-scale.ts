import { execFileSync } from 'node:child_process';
import { processCpuTime } from './cpu-time.ts';
import { collectGarbage } from './project/collect-garbage.ts';
import { generateProject } from './project/generated-project.ts';
import type { Row } from './row.ts';
import { startSyncedWith, syncNow } from './synced-project.ts';

/** Ten times as many scripts may take this many times as long. */
const MAX_GROWTH = 11;
const MAX_BRIDGE_BYTES = 1024 ** 3;

/** Compares a cold load and a dry run of 100,000 scripts with those of 10,000, and pushes 10,000 new scripts. */
export async function atScale(): Promise<readonly Row[]> {
  return [...(await coldLoads()), await newScripts(), await allDifferent()];
}

/** The first dry run, in which every script differs. CPU time of the bridge and of headless Studio, in one process. */
async function allDifferent(): Promise<Row> {
  const times: number[] = [];
  for (const scripts of [10_000, 100_000]) {
    // Short ones: the Luau VM of headless Studio has 750 MB for the place and the incoming texts.
    using project = generateProject(scripts, 2);
    await using synced = await startSyncedWith(project.folder, project.folder);
    project.change(scripts, 'edited');
    collectGarbage();
    const before = processCpuTime();
    const changes = await syncNow(synced, 'dryrun', 'dryrun');
    times.push(processCpuTime() - before);
    if (changes !== scripts) throw new Error(`${changes} changes instead of ${scripts}`);
  }
  const [small = 0, large = 0] = times;
  return growthRow('first dry run of 100,000 scripts, all different, against 10,000', large, small);
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

async function newScripts(): Promise<Row> {
  const times: number[] = [];
  let applied = 0;
  for (const scripts of [1_000, 10_000]) {
    using project = generateProject(scripts);
    using empty = generateProject(1);
    // Files that git does not know are pushed by default.
    execFileSync('git', ['init', '--quiet', project.folder]);
    await using synced = await startSyncedWith(project.folder, empty.folder);
    const before = performance.now();
    await syncNow(synced, 'fastfail', 'success');
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
