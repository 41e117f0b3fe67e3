import { spawn } from 'node:child_process';
import { globSync, rmSync } from 'node:fs';
import { matchesGlob, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { ensureChromium } from '../set-up/chromium.ts';
import { ensureMcpClients } from '../set-up/mcp-clients.ts';
import { ensureOpenSsh } from '../set-up/openssh.ts';
import { installTestExtensions } from '../vscode/test-extensions.ts';
import type { Need, Ring } from './rings.ts';
import { writeShards } from './shards.ts';

export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}
const nothing: Count = { passed: 0, failed: 0, skipped: 0 };

/** Runs one ring with its output in ours. Never rejects: what could not run is a failure that was printed. */
export async function runRing(ring: Ring): Promise<Count> {
  if (ring.kind === 'command') {
    let count = nothing;
    for (const { title, command, args } of ring.steps) {
      const ok = (await exitCode(command, args)) === 0;
      console.log(`${ok ? 'ok' : 'FAILED'}: ${title}`);
      count = ok ? { ...count, passed: count.passed + 1 } : { ...count, failed: count.failed + 1 };
    }
    return count;
  }
  try {
    for (const need of ring.needs) await ensure[need]();
    Object.assign(process.env, ring.env);
    const files = globSync([...ring.files], { exclude: ['**/node_modules/**'] }).sort();
    return judge(ring.name, await runTests(files, ring));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return { ...nothing, failed: 1 };
  }
}

const ensure: { readonly [N in Need]: () => Promise<unknown> } = {
  chromium: ensureChromium,
  // Once for all files, which is a quarter of the time that each needs to open VS Code.
  async 'test-extensions'() {
    const dir = resolve('out/test-extensions');
    rmSync(dir, { recursive: true, force: true });
    process.env['ATLAS_EXTENSIONS'] = await installTestExtensions(dir);
  },
  'mcp-clients': ensureMcpClients,
  openssh: ensureOpenSsh,
};

/** What `node:test` reported. `emptyFiles`: those in which no test ran; the runner itself lets them pass. */
export interface TestReport extends Count {
  readonly emptyFiles: readonly string[];
}

/** The parts of the events `test:pass` and `test:fail` that are read here. */
interface TestResult {
  readonly name: string;
  readonly file?: string | undefined;
  readonly nesting: number;
  readonly details: { readonly type?: string | undefined };
}

async function runTests(files: readonly string[], ring: Extract<Ring, { kind: 'tests' }>): Promise<TestReport> {
  let report: TestReport = { ...nothing, emptyFiles: [] };
  if (files.length === 0) return report;
  // The seed is printed; ATLAS_TEST_SEED repeats an order.
  const seed = process.env['ATLAS_TEST_SEED'];
  const events = run({
    files: processesFor(files, ring),
    concurrency: ring.concurrency,
    timeout: 300_000,
    ...(ring.inOrder === true ? {} : { randomize: true, ...(seed === undefined ? {} : { randomSeed: Number(seed) }) }),
  });
  let testsOfSuite = 0;
  const onResult = ({ name, file, nesting, details }: TestResult): void => {
    if (nesting > 0) return void testsOfSuite++;
    // A file without tests is reported as one test named like the file; in a shared process, as a suite without tests.
    const isFile = file !== undefined && resolve(name) === file;
    const isEmptySuite = details.type === 'suite' && testsOfSuite === 0 && files.includes(name);
    if (isFile || isEmptySuite) report = { ...report, emptyFiles: [...report.emptyFiles, name] };
    testsOfSuite = 0;
  };
  events.on('test:pass', onResult);
  events.on('test:fail', onResult);
  events.on('test:summary', ({ file, counts }) => {
    if (file !== undefined) return;
    const { tests, passed, skipped, todo } = counts;
    report = { ...report, passed, skipped: skipped + todo, failed: tests - passed - skipped - todo };
  });
  await new Promise<void>((done, reject) => {
    const printed = events.compose(new spec());
    printed.on('error', reject).on('end', done).pipe(process.stdout, { end: false });
  });
  return report;
}

/** The programs to start: shards for files that share processes, the files themselves for all others. */
function processesFor(files: readonly string[], { shared }: Extract<Ring, { kind: 'tests' }>): readonly string[] {
  if (shared === undefined) return files.map(file => resolve(file));
  const isAlone = (file: string): boolean => shared.alone.some(glob => matchesGlob(file, glob));
  const alone = files.filter(isAlone).map(file => resolve(file));
  // The longest first, so that no core waits for the last one.
  return [
    ...alone,
    ...writeShards(
      files.filter(file => !isAlone(file)),
      shared.filesPerProcess,
    ),
  ];
}

/** A ring in which nothing ran, or a file of it in which nothing ran, has not passed. */
export function judge(ring: string, { emptyFiles, ...count }: TestReport): Count {
  for (const file of emptyFiles) console.error(`FAILED: ${file} ran no test`);
  const passed = count.passed - emptyFiles.length;
  const failed = count.failed + emptyFiles.length;
  if (passed + failed > 0) return { ...count, passed, failed };
  console.error(`FAILED: ${ring} ran no test`);
  return { ...count, failed: 1 };
}

function exitCode(command: string, args: readonly string[]): Promise<number> {
  return new Promise(done => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', error => {
      console.error(`${command}: ${error.message}`);
      done(1);
    });
    child.on('close', (code, signal) => done(code ?? (signal === null ? 1 : 128)));
  });
}
