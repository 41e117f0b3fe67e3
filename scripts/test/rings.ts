import { availableParallelism } from 'node:os';

/** A part of the test run: its requirements, and its programs or test files. Cheapest first. */
export type Ring = { readonly name: string; readonly kind: 'command'; readonly steps: readonly Step[] } | TestRing;

export interface TestRing {
  readonly name: string;
  readonly kind: 'tests';
  readonly files: readonly string[];
  readonly needs: readonly Need[];
  /** Number of test files that run at the same time; files that use a whole core run alone. */
  readonly concurrency: number;
  /** Files (globs) that take longest, in the order in which they start: first, so that no core waits for the last file. */
  readonly long?: readonly string[];
  /** Whether tests of a file depend on earlier ones (one window, many clicks). Tests and files of other rings run in random order. */
  readonly inOrder?: true;
  readonly env?: Readonly<Record<string, string>>;
  /** Runs only when it is named. */
  readonly isExtra?: true;
  /** Number of test files per process; files that match `alone` (globs) have a separate one. `undefined`: every file has a separate process. */
  readonly shared?: { readonly filesPerProcess: number; readonly alone: readonly string[] };
}

/** One check that passes or fails as a whole. */
export interface Step {
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
}
export type Need = 'chromium' | 'test-extensions' | 'mcp-clients' | 'old-nodes' | 'openssh' | 'release';

/** Files that have not changed since the last run are not checked again. */
const tsc = (project: string): Step => ({
  title: `types: ${project}`,
  command: 'tsc',
  args: ['-p', project, '--incremental', '--tsBuildInfoFile', `out/types/${project}.tsbuildinfo`],
});

const cores = availableParallelism();

/** Files of `integration` that take five seconds or more, or measure their process. */
const longIntegration: readonly string[] = [
  'test/integration/studio/hostile-peer.test.ts',
  'test/integration/crash/*.test.ts',
  'test/integration/docs/search.test.ts',
  'test/integration/guides/guides.test.ts',
  'test/integration/cli/pluto.test.ts',
  'test/integration/mcp/secrets{,-beside-tools}.test.ts',
  'test/integration/bundle/*.test.ts',
  'test/integration/game-tests/test-files.test.ts',
];

/** Files of `slow` that take ten seconds or more. */
const longSlow: readonly string[] = [
  'test/unit/pluto/program/host/program-{limits,runner}.slow.test.ts',
  'test/unit/guides/recipes.slow.test.ts',
  'test/unit/project/writeback/linear-plans.slow.test.ts',
  'test/unit/studio-plugin/pairing-by-code.slow.test.ts',
  // Each takes up to a minute of CPU time where `CI` is set.
  'test/unit/pluto/program/backend/random-*.slow.test.ts',
];

/** Files of `host` that need another window than a trusted one in the environment of the process, or several. */
const ownWindows: readonly string[] = [
  'test/host/{pluto-folders,two-windows}.test.ts',
  // Other environment variables.
  'test/host/{new-window,tutorial,place-commands,set-up,roots,studio}.test.ts',
  // Other programs.
  'test/host/{f5,start,remote,offline}.test.ts',
];

export const rings: readonly Ring[] = [
  {
    name: 'format',
    kind: 'command',
    steps: [
      { title: 'format', command: 'oxfmt', args: ['--check'] },
      { title: 'format of Luau', command: 'node', args: ['scripts/format-luau.ts', '--check'] },
    ],
  },
  {
    name: 'types',
    kind: 'command',
    steps: [tsc('tsconfig.core.json'), tsc('tsconfig.json'), tsc('tsconfig.webview.json')],
  },
  {
    name: 'lint',
    kind: 'command',
    steps: [{ title: 'lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] }],
  },
  { name: 'knip', kind: 'command', steps: [{ title: 'nothing unused', command: 'knip', args: [] }] },
  {
    name: 'build',
    kind: 'command',
    steps: [{ title: 'release build within its budget', command: 'node', args: ['esbuild.config.mjs', '--release'] }],
  },
  {
    name: 'unit',
    kind: 'tests',
    files: ['test/{unit,contract}/**/!(*.slow).test.ts'],
    needs: [],
    concurrency: cores,
    // Luau VMs slow each other down in one process, because each keeps its memory until the process ends.
    shared: { filesPerProcess: 16, alone: ['test/unit/headless-studio/*.test.ts'] },
  },
  {
    // Files that take a second or more: random inputs, processes, Luau VMs, the whole repository. `npm run test:quick` leaves them out.
    name: 'slow',
    kind: 'tests',
    files: ['test/{unit,contract}/**/*.slow.test.ts'],
    needs: [],
    concurrency: cores,
    shared: { filesPerProcess: 6, alone: ['test/unit/headless-studio/*.test.ts', ...longSlow] },
    long: longSlow,
  },
  {
    name: 'fuzz',
    kind: 'command',
    steps: [
      { title: 'mutated inputs for every decoder', command: 'node', args: ['scripts/fuzz.ts', '--inputs', '20000'] },
    ],
  },
  {
    name: 'integration',
    kind: 'tests',
    files: ['test/integration/**/*.test.ts'],
    needs: ['release', 'old-nodes', 'openssh'],
    concurrency: cores + 1,
    shared: { filesPerProcess: 5, alone: longIntegration },
    long: longIntegration,
  },
  {
    name: 'conformance',
    kind: 'tests',
    files: ['test/conformance/*.test.ts'],
    needs: ['mcp-clients'],
    concurrency: 1,
  },
  {
    name: 'webview',
    kind: 'tests',
    files: ['test/webview/**/*.test.ts'],
    needs: ['chromium'],
    concurrency: cores,
    inOrder: true,
    long: ['test/webview/review.test.ts'],
  },
  {
    name: 'host',
    kind: 'tests',
    files: ['test/host/*.test.ts'],
    needs: ['chromium', 'test-extensions', 'openssh'],
    // Two windows use two cores fully. Files of a process share a window: opening it again costs 9 CPU seconds instead of 15.
    concurrency: cores,
    inOrder: true,
    shared: { filesPerProcess: 6, alone: ownWindows },
  },
  {
    name: 'kill',
    kind: 'tests',
    files: ['test/integration/crash/kill.test.ts', 'test/integration/docs/git-roots-interrupted.test.ts'],
    needs: [],
    concurrency: 1,
    env: { ATLAS_KILL: 'every write' },
    isExtra: true,
  },
  {
    name: 'soak',
    kind: 'tests',
    files: ['test/integration/crash/soak.test.ts', 'test/integration/headless-studio/live-model.test.ts'],
    needs: [],
    concurrency: 1,
    env: { ATLAS_SOAK_STEPS: '1000000', ATLAS_LIVE_SEQUENCES: '2000' },
    isExtra: true,
  },
  {
    name: 'desktop',
    kind: 'tests',
    files: ['test/host/*.test.ts'],
    needs: [],
    concurrency: 1,
    inOrder: true,
    env: { ATLAS_HOST: 'desktop' },
    isExtra: true,
  },
];

/** Groups rings that run side by side: checks that start one program each. Test files use all cores within their ring. */
export function batches(chosen: readonly Ring[]): readonly (readonly Ring[])[] {
  const together: Ring[][] = [];
  for (const ring of chosen) {
    const last = together.at(-1);
    if (ring.kind === 'command' && last?.[0]?.kind === 'command') last.push(ring);
    else together.push([ring]);
  }
  return together;
}
