import { nodeGitRoots } from '../../../src/adapters/git-roots/node-git-roots.ts';

// Syncs one root, and kills itself without a word at the step whose number it is given.
const [cache = '', url = '', killAt = ''] = process.argv.slice(2);
let step = 0;
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
  () => {
    step += 1;
    if (step === Number(killAt)) process.kill(process.pid, 'SIGKILL');
  },
  new AbortController().signal,
);
process.stdout.write(JSON.stringify({ status: report.status, steps: step }));
