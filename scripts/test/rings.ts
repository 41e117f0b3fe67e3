import { availableParallelism } from 'node:os';

/** A part of the test run: what it needs, and the programs or test files that it consists of. Cheapest first. */
export type Ring =
  | { readonly name: string; readonly kind: 'command'; readonly steps: readonly Step[] }
  | {
      readonly name: string;
      readonly kind: 'tests';
      readonly files: readonly string[];
      readonly needs: readonly Need[];
      /** Test files that run at the same time; those that fill a whole core run alone. */
      readonly concurrency: number;
      /** The tests of a file go on where the one before them ended: one window, many clicks. All others run in random order. */
      readonly inOrder?: true;
      readonly env?: Readonly<Record<string, string>>;
      /** Runs only when it is named. */
      readonly isExtra?: true;
      /** How many test files share a process; those that match `alone` (globs) have one each. Left out: all have one each. */
      readonly shared?: { readonly filesPerProcess: number; readonly alone: readonly string[] };
    };

/** One check that passes or fails as a whole. */
export interface Step {
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
}
export type Need = 'chromium' | 'test-extensions' | 'mcp-clients' | 'openssh';

const tsc = (project: string): Step => ({ title: `types: ${project}`, command: 'tsc', args: ['-p', project] });

const cores = availableParallelism();

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
    name: 'unit',
    kind: 'tests',
    files: ['test/unit/**/*.test.ts', 'test/contract/**/*.test.ts'],
    needs: [],
    concurrency: cores,
    // Virtual machines of Luau slow each other down in one process: each keeps its memory until the process ends.
    shared: { filesPerProcess: 16, alone: ['test/unit/headless-studio/*.test.ts'] },
  },
  {
    name: 'build',
    kind: 'command',
    steps: [{ title: 'release build within its budget', command: 'node', args: ['esbuild.config.mjs', '--release'] }],
  },
  {
    name: 'integration',
    kind: 'tests',
    files: ['test/integration/**/*.test.ts'],
    needs: ['openssh'],
    concurrency: cores + 1,
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
  },
  {
    name: 'host',
    kind: 'tests',
    files: ['test/host/*.test.ts'],
    needs: ['chromium', 'test-extensions', 'openssh'],
    // Windows mostly wait: for VS Code to start, for what a person would read.
    concurrency: cores,
    inOrder: true,
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

/** Rings that run side by side: checks that start one program each do, test files share the cores within their ring. */
export function batches(chosen: readonly Ring[]): readonly (readonly Ring[])[] {
  const together: Ring[][] = [];
  for (const ring of chosen) {
    const last = together.at(-1);
    if (ring.kind === 'command' && last?.[0]?.kind === 'command') last.push(ring);
    else together.push([ring]);
  }
  return together;
}
