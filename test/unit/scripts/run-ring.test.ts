import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { test } from 'node:test';
import { batches, type Need, rings } from '../../../scripts/test/rings.ts';
import { processesFor, runRing } from '../../../scripts/test/run-ring.ts';
import { writeShards } from '../../../scripts/test/shards.ts';
import { judge, Tally } from '../../../scripts/test/tally.ts';
import { withoutUserState } from '../../../scripts/test/user-state.ts';
import { userStateFolder } from '../../../src/adapters/node/state-folder.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const report = { passed: 3, failed: 1, skipped: 2, failures: ['one.test.ts: breaks'], emptyFiles: [] };

test('counts the tests of a ring', () => {
  assert.deepEqual(judge('unit', report), { passed: 3, failed: 1, skipped: 2, failures: ['one.test.ts: breaks'] });
});

test('fails a ring when no test ran, or a file ran none', t => {
  t.mock.method(console, 'error', () => {});
  assert.equal(judge('unit', { passed: 0, failed: 0, skipped: 0, failures: [], emptyFiles: [] }).failed, 1);
  assert.deepEqual(judge('unit', { ...report, emptyFiles: ['empty.test.ts'] }), {
    passed: 2,
    failed: 2,
    skipped: 2,
    failures: ['one.test.ts: breaks', 'empty.test.ts ran no test'],
  });
});

test('finds files without tests in separate and in shared processes', () => {
  const tally = new Tally(['a.test.ts', 'b.test.ts', 'c.test.ts']);
  const suite = { type: 'suite' };
  tally.addPass({ name: 'works', file: 'a.test.ts', nesting: 1, details: {} });
  tally.addFailure({ name: 'breaks', file: 'a.test.ts', nesting: 1, details: {} });
  const failed = { ...suite, error: Object.assign(new Error(), { failureType: 'subtestsFailed' }) };
  tally.addFailure({ name: 'a.test.ts', file: 'out/shard.mjs', nesting: 0, details: failed });
  tally.addPass({ name: 'b.test.ts', file: 'out/shard.mjs', nesting: 0, details: suite });
  tally.addPass({ name: 'c.test.ts', file: 'c.test.ts', nesting: 0, details: {} });
  assert.deepEqual(tally.report().emptyFiles, ['b.test.ts', 'c.test.ts']);
  assert.deepEqual(tally.report().failures, ['a.test.ts: breaks']);
});

test('counts a file that cannot be loaded as a failure', () => {
  const tally = new Tally(['a.test.ts']);
  const details = { type: 'suite', error: Object.assign(new Error(), { failureType: 'testCodeFailure' }) };
  tally.addFailure({ name: 'a.test.ts', file: 'shard.mjs', nesting: 0, details });
  tally.setCounts({ tests: 2, passed: 2, skipped: 0, todo: 0 });
  assert.deepEqual(tally.report().failures, ['shard.mjs: a.test.ts']);
  assert.equal(tally.report().failed, 1);
});

test('fails a ring without files, and judges a command by its exit code', async t => {
  t.mock.method(console, 'error', () => {});
  t.mock.method(console, 'log', () => {});
  const gone = { name: 'gone', kind: 'tests', files: ['test/none/*.test.ts'], needs: [], concurrency: 1 } as const;
  assert.equal((await runRing(gone, 1)).failed, 1);
  const step = (code: number) => ({ title: 'exit', command: process.execPath, args: ['-e', `process.exit(${code})`] });
  const commands = { name: 'commands', kind: 'command', steps: [step(0), step(3)] } as const;
  assert.deepEqual(await runRing(commands, 1), { passed: 1, failed: 1, skipped: 0, failures: ['exit'] });
});

/** The names of the files that a program runs. */
const filesOf = (program: string): readonly string[] =>
  Array.from(readFileSync(program, 'utf8').matchAll(/^suite\(".*\/(\w+)\.test\.ts"/gm), ([, name = '']) => name);

test('runs a file that replaces modules in a separate process', async () => {
  await using folder = await tempFolder({
    'a.test.ts': '',
    'b.test.ts': 'registerHooks({});',
    'c.test.ts': '',
    'd.test.ts': 'installFakeVsCode(fake);',
  });
  const files = ['a', 'b', 'c', 'd'].map(name => join(folder.path, `${name}.test.ts`));
  const programs = processesFor(files, { name: 'planted', shared: { filesPerProcess: 16, alone: [] } }, 1);
  assert.deepEqual(programs.map(program => filesOf(program).join(' ')).toSorted(), ['a c', 'b', 'd']);
});

test('starts long files first, and shuffles files whose tests run in order', async () => {
  await using folder = await tempFolder(
    Object.fromEntries(
      ['long', 'short', ...Array.from({ length: 9 }, (_, index) => `s${index}`)].map(name => [`${name}.test.ts`, '']),
    ),
  );
  const files = readdirSync(folder.path).map(name => join(folder.path, name));
  const [long, short] = ['long', 'short'].map(name => join(folder.path, `${name}.test.ts`));
  const ring = {
    name: 'planted-order',
    long: [long ?? ''],
    shared: { filesPerProcess: 9, alone: [long ?? '', short ?? ''] },
  };
  const orderOf = (seed: number, more: object = {}): string => {
    const [first, shared, last] = processesFor(files, { ...ring, ...more }, seed).map(filesOf);
    assert.deepEqual([first, last], [['long'], ['short']]);
    return (shared ?? []).join(' ');
  };
  assert.equal(orderOf(1), 's0 s1 s2 s3 s4 s5 s6 s7 s8', 'node:test shuffles the suites of these');
  const shuffled = orderOf(1, { inOrder: true });
  assert.notEqual(shuffled, orderOf(1));
  assert.equal(shuffled, orderOf(1, { inOrder: true }));
  assert.notEqual(shuffled, orderOf(2, { inOrder: true }));
});

const runProgram = (program: string) =>
  spawnSync(process.execPath, ['--test-reporter=tap', program], {
    encoding: 'utf8',
    timeout: 20_000,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });

test('fails a file of a shared process that never ends, and runs the next one', async () => {
  const hangs = `import { after, test } from 'node:test';
const alive = setInterval(() => {}, 1000);
after(() => clearInterval(alive));
test('hangs', () => new Promise(() => {}));`;
  await using folder = await tempFolder({
    'hangs.test.mjs': hangs,
    'next.test.mjs': "import { test } from 'node:test'; test('runs', () => {});",
  });
  const files = ['hangs', 'next'].map(name => join(folder.path, `${name}.test.mjs`));
  const [shard = ''] = writeShards('planted-timeout', [files], 100);
  const { stdout } = runProgram(shard);
  assert.match(stdout, /^not ok 1 - .*hangs\.test\.mjs$/m);
  assert.match(stdout, /^ok 2 - .*next\.test\.mjs$/m);
});

test('reports tests in the suite of their file, and fails a program with an error that no test awaits', async () => {
  await using folder = await tempFolder({
    'late.test.mjs':
      "import { test } from 'node:test'; test('awaits', async () => { await null; setTimeout(() => { throw new Error('late'); }); });",
    'next.test.mjs': "import { test } from 'node:test'; test('runs', () => {});",
  });
  const files = ['late', 'next'].map(name => join(folder.path, `${name}.test.mjs`));
  const [shard = ''] = writeShards('planted-errors', [files], 10_000);
  const { status, stdout } = runProgram(shard);
  assert.equal(status, 1);
  assert.match(stdout, /late/);
  assert.match(stdout, /^ {4}ok 1 - awaits$/m);
  assert.match(stdout, /^ {4}ok 1 - runs$/m);
});

test('loads first what a file imports, and nothing that only its texts name', async () => {
  const file = (specifier: string): string => `import { test } from 'node:test';
import {
  name,
} from '${specifier}';

// A test of a planted program.
const program = \`
import { open } from './nowhere.mjs';
\`;
test(name, () => {});
`;
  await using folder = await tempFolder({
    'names.mjs': "export const name = 'runs';",
    'planted.test.mjs': file('./names.mjs'),
  });
  const [shard = ''] = writeShards('planted-imports', [[join(folder.path, 'planted.test.mjs')]], 10_000);
  assert.match(readFileSync(shard, 'utf8'), /await import\(".*\/names\.mjs"\);/);
  assert.match(runProgram(shard).stdout, /^ {4}ok 1 - runs$/m);
});

test('finds out when tests change the state of the user', async () => {
  const before = process.env['XDG_STATE_HOME'];
  const keys = join(userStateFolder({}), 'studio-keys.json');
  const outcome = await withoutUserState(async () => {
    const own = userStateFolder(process.env);
    assert.notEqual(join(own, 'studio-keys.json'), keys);
    assert.deepEqual((await withoutUserState(async () => 3)).changed, []);
    mkdirSync(join(own, 'harbor-1'), { recursive: true });
    return 'passed';
  });
  assert.deepEqual(outcome, { result: 'passed', changed: ['harbor-1'] });
  assert.equal(process.env['XDG_STATE_HOME'], before);
});

test('npm scripts run rings, and check runs every ring that needs no build', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const ringsOf = (script: string): readonly string[] =>
    scripts[script]?.replace(/^node scripts\/bootstrap\.mjs scripts\/test\.ts ?/, '').split(' ') ?? [];
  assert.deepEqual(
    ringsOf('check'),
    batches(rings)[0]?.flatMap(({ name }) => (name === 'build' ? [] : [name])),
  );
  const names = rings.map(({ name }) => name);
  for (const name of ringsOf('test:quick')) assert.ok(names.includes(name), name);
  assert.deepEqual(ringsOf('test'), [''], 'npm test runs all rings');
});

test('long files exist and have separate processes', () => {
  for (const ring of rings) {
    if (ring.kind !== 'tests') continue;
    const files = globSync([...ring.files], { exclude: ['**/node_modules/**'] });
    for (const glob of ring.long ?? [])
      assert.ok(
        files.some(file => matchesGlob(file, glob)) && (ring.shared?.alone.includes(glob) ?? true),
        `${ring.name}: ${glob}`,
      );
  }
});

/** Calls of a test file that install or build something, and the needs that do it once before the files run side by side. */
const installs: Readonly<Record<string, readonly Need[]>> = {
  ensureChromium: ['chromium'],
  ensureCodeServer: ['test-extensions'],
  ensureMcpClients: ['mcp-clients'],
  ensureOldNodes: ['old-nodes'],
  ensureOpenSsh: ['openssh'],
  ensureRelease: ['release', 'test-extensions'],
};

test('installs and builds before test files that use it run side by side', () => {
  for (const ring of rings) {
    if (ring.kind !== 'tests' || ring.concurrency === 1) continue;
    for (const file of globSync([...ring.files], { exclude: ['**/node_modules/**'] }))
      for (const [, call = ''] of readFileSync(file, 'utf8').matchAll(/await (ensure[A-Z]\w+)\(/g))
        assert.ok(
          installs[call]?.some(need => ring.needs.includes(need)),
          `${file} calls ${call}: name it in the needs of ${ring.name}`,
        );
  }
});
