import { processCpuTime } from './cpu-time.ts';
import { realProject } from './project/real-project.ts';
import type { Row } from './row.ts';
import { startSynced, syncNow } from './synced-project.ts';

/** About 3,500 and 14,000 instances. */
const SCALES = [28, 112] as const;
const GROWTH = 4;

/** Compares and applies in the plugin, on places with the shapes of published ones: all time grows as the number of instances. */
export async function realSync(): Promise<readonly Row[]> {
  const found: { readonly compare: number; readonly apply: number; readonly dryRun: number; readonly push: number }[] =
    [];
  for (const scale of SCALES) {
    using project = await realProject(scale);
    await using synced = await startSynced(project.folder, project.place);
    // The first comparison reads every file.
    await syncNow(synced, 'dryrun', 'empty');
    let before = processCpuTime();
    await syncNow(synced, 'dryrun', 'empty');
    const dryRun = processCpuTime() - before;
    const compare = synced.answered('compared').at(-1) ?? Number.NaN;
    project.change(project.scripts, 'edited');
    before = processCpuTime();
    await syncNow(synced, 'push', 'success');
    const push = processCpuTime() - before;
    found.push({ compare, dryRun, push, apply: synced.answered('applied').reduce((sum, ms) => sum + ms, 0) });
  }
  const [small, large] = found;
  if (small === undefined || large === undefined) throw new Error('no places');
  const row = (name: string, of: keyof typeof small, unit: string): Row => ({
    name: `${name}, 14,000 instances against 3,500`,
    unit: 'ratio',
    value: large[of] / small[of],
    runs: 1,
    limit: 1.5 * GROWTH,
    detail: `${unit} ${large[of].toFixed(0)} ms, ${small[of].toFixed(0)} ms; linear is ${GROWTH}`,
  });
  return [
    row("the plugin's compare of a real place", 'compare', 'wall time'),
    row('dry run of a real place without changes', 'dryRun', 'CPU time of all threads'),
    row("the plugin's apply of an edit of every script of a real place", 'apply', 'wall time'),
    row('push of an edit of every script of a real place', 'push', 'CPU time of all threads'),
  ];
}
