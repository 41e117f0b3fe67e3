import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { matchesGlob, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { ensureChromium } from '../set-up/chromium.ts';
import { ensureMcpClients } from '../set-up/mcp-clients.ts';
import { ensureOldNodes } from '../set-up/old-nodes.ts';
import { ensureOpenSsh } from '../set-up/openssh.ts';
import { ensureRelease } from '../vscode/pack-extension.ts';
import { installTestExtensions } from '../vscode/test-extensions.ts';
import { engineFlags } from './engine-flags.ts';
import type { Need, Ring, TestRing } from './rings.ts';
import { writeShards } from './shards.ts';
import { withoutUserState } from './user-state.ts';
import { type Count, failedToo, judge, nothing, Tally, type TestReport } from './tally.ts';

/**
 * Runs one ring and prints its output. Never rejects: a program that cannot run is a printed failure.
 * `seed` decides the random order of the tests.
 */
export async function runRing(ring: Ring, seed: number): Promise<Count> {
  if (ring.kind === 'command') {
    let count = nothing;
    for (const { title, command, args } of ring.steps) {
      const ok = await runStep(command, args);
      console.log(`${ok ? 'ok' : 'FAILED'}: ${title}`);
      count = ok ? { ...count, passed: count.passed + 1 } : failedToo(count, title);
    }
    return count;
  }
  try {
    for (const need of ring.needs) await ensure[need]();
    Object.assign(process.env, ring.env);
    const files = globSync([...ring.files], { exclude: ['**/node_modules/**'] }).sort();
    const { result, changed } = await withoutUserState(() => runTests(files, ring, seed));
    const count = judge(ring.name, result);
    return changed.length === 0 ? count : failedToo(count, `a test changed the user's state: ${changed.join(', ')}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return failedToo(nothing, `${ring.name} could not run`);
  }
}

/**
 * Creates everything that test files share before they run side by side: two processes that install into one folder delete each other's
 * files.
 */
const ensure: { readonly [N in Need]: () => Promise<unknown> } = {
  chromium: ensureChromium,
  // Once for all files, because it takes a quarter of the time that each file needs to open VS Code.
  async 'test-extensions'() {
    const dir = resolve('out/test-extensions');
    rmSync(dir, { recursive: true, force: true });
    process.env['ATLAS_EXTENSIONS'] = await installTestExtensions(dir);
  },
  'mcp-clients': ensureMcpClients,
  'old-nodes': ensureOldNodes,
  openssh: ensureOpenSsh,
  release: ensureRelease,
};

/** A test file that takes longer fails. */
const FILE_TIMEOUT_MS = 300_000;
/** Limit of a program that runs several files, which a file only reaches if it blocks its process. */
const SHARD_TIMEOUT_MS = 900_000;

async function runTests(files: readonly string[], ring: TestRing, seed: number): Promise<TestReport> {
  const tally = new Tally(files);
  if (files.length === 0) return tally.report();
  const events = run({
    files: processesFor(files, ring, seed),
    concurrency: ring.concurrency,
    timeout: ring.shared === undefined ? FILE_TIMEOUT_MS : SHARD_TIMEOUT_MS,
    // Only within the files: `run` would shuffle the files too, and a long one that starts last leaves the other cores without work.
    execArgv: [...engineFlags, ...(ring.inOrder === true ? [] : ['--test-randomize', `--test-random-seed=${seed}`])],
  });
  events.on('test:pass', result => tally.addPass(result));
  events.on('test:fail', result => tally.addFailure(result));
  events.on('test:summary', ({ file, counts }) => {
    if (file === undefined) tally.setCounts(counts);
  });
  await new Promise<void>((done, reject) => {
    const printed = events.compose(new spec());
    printed.on('error', reject).on('end', done).pipe(process.stdout, { end: false });
  });
  return tally.report();
}

/**
 * The programs to start, longest first: long files, shards of files that share processes, and the other files in random order. Shards of a
 * ring whose tests run in order contain their files in random order.
 */
export function processesFor(
  files: readonly string[],
  { name, shared, long = [], inOrder }: Pick<TestRing, 'name' | 'shared' | 'long' | 'inOrder'>,
  seed: number,
): readonly string[] {
  const isLong = (file: string): boolean => rankOf(file) >= 0;
  const rankOf = (file: string): number => long.findIndex(glob => matchesGlob(file, glob));
  const isAlone = (file: string): boolean =>
    shared === undefined || shared.alone.some(glob => matchesGlob(file, glob)) || replacesModules(file);
  const alone = files.filter(isAlone);
  const together = files.filter(file => !isAlone(file));
  const first = alone.filter(isLong).toSorted((a, b) => rankOf(a) - rankOf(b));
  const last = shuffle(
    alone.filter(file => !isLong(file)),
    seed,
  );
  if (shared === undefined) return [...first, ...last].map(file => resolve(file));
  // Files of a folder share a program, because they import the same modules.
  const ordered = inOrder === true ? shuffle(together, seed) : together;
  const groups = Array.from({ length: Math.ceil(ordered.length / shared.filesPerProcess) }, (_, index) =>
    ordered.slice(index * shared.filesPerProcess, (index + 1) * shared.filesPerProcess),
  );
  const one = (file: string): readonly string[] => [file];
  return writeShards(name, [...first.map(one), ...groups, ...last.map(one)], FILE_TIMEOUT_MS);
}

/** Whether a file replaces modules, such as `vscode`, for its whole process. */
const replacesModules = (file: string): boolean =>
  /\b(?:registerHooks|installFakeVsCode)\(/.test(readFileSync(file, 'utf8'));

/** The same order for the same seed. */
function shuffle(files: readonly string[], seed: number): readonly string[] {
  const rank = (file: string): string => createHash('sha1').update(`${seed} ${file}`).digest('hex');
  const ranks = new Map(files.map(file => [file, rank(file)]));
  return files.toSorted((a, b) => ((ranks.get(a) ?? '') < (ranks.get(b) ?? '') ? -1 : 1));
}

/** Runs a program and prints its output when it ends, because checks run side by side. */
function runStep(command: string, args: readonly string[]): Promise<boolean> {
  return new Promise(done => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
    child.on('error', error => {
      console.error(`${command}: ${error.message}`);
      done(false);
    });
    child.on('close', code => {
      process.stdout.write(Buffer.concat(output));
      done(code === 0);
    });
  });
}
