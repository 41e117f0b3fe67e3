/**
 * Syncs one root in a separate process: `node sync-process.ts <cache> <url> <what> <moment>`. Writes its report and the number of
 * moments to standard output. A moment is before each change of the disk, and at each reported step.
 *
 * - `run`: syncs without interruption
 * - `kill`: kills the process at that moment, as in a power failure
 * - `hold`: prints `held` at the first step that starts with that text, and stops until it receives SIGCONT
 */
import { writeSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const [cache = '', url = '', what = 'run', moment = ''] = process.argv.slice(2);
let moments = 0;

const pass = (): void => {
  moments += 1;
  if (what === 'kill' && moments === Number(moment)) process.kill(process.pid, 'SIGKILL');
};
for (const name of ['rename', 'writeFile', 'mkdir', 'rm', 'link'] as const) {
  const original = files[name] as (...args: readonly unknown[]) => Promise<unknown>;
  Object.assign(files, {
    [name]: (...args: readonly unknown[]) => {
      pass();
      return original(...args);
    },
  });
}
syncBuiltinESMExports();
// Import after the functions were replaced; otherwise the module uses the originals.
const { nodeGitRoots } = await import('../../../src/docs/adapters/git-roots/node-git-roots.ts');

const report = await nodeGitRoots.sync(
  {
    id: 'kept',
    namespace: 'docs',
    title: undefined,
    subdir: '',
    source: { kind: 'git', url, ref: 'main', variable: 'X' },
  },
  { cache, offline: false, protocols: ['file'], timeoutMs: 60_000, maxMb: 100 },
  { mode: 'update' },
  step => {
    pass();
    if (what !== 'hold' || !step.startsWith(moment)) return;
    writeSync(1, 'held\n');
    process.kill(process.pid, 'SIGSTOP');
  },
  new AbortController().signal,
);
const { status, after, error } = report;
writeSync(1, `${JSON.stringify({ status, after, error: error?.code ?? null, moments })}\n`);
