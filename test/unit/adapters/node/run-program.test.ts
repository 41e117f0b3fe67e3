import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { countStartedProcesses } from '../../../harness/started-processes.ts';
import { runProgram, runSyncbackProgram } from '../../../../src/adapters/node/run-program.ts';

async function program(t: TestContext, code: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atlas-program-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'program.mjs');
  await writeFile(file, code);
  return file;
}
const never = new AbortController().signal;

test('parses the last line as the answer, and passes the arguments unchanged with --json', async t => {
  const file = await program(
    t,
    `console.log('some line');
    console.log(JSON.stringify({ ok: true, output: process.argv.slice(2).join('|'), bytes: 1, problems: [] }));`,
  );
  assert.deepEqual(await runProgram(file, ['build', 'a b', '-o', '"x"'], never), {
    ok: true,
    output: 'build|a b|-o|"x"|--json',
    bytes: 1,
    warnings: [],
    problems: [],
  });
});

test('returns the error of a failed command for any exit code', async t => {
  const error = { code: 'NO_PROJECT', message: 'None.', hint: 'Make one.' };
  const file = await program(
    t,
    `console.log(${JSON.stringify(JSON.stringify({ ok: false, error, problems: [] }))}); process.exitCode = 1;`,
  );
  assert.deepEqual(await runProgram(file, [], never), { ok: false, error, problems: [] });
});

test('rejects with the error output when a command prints no answer', async t => {
  const file = await program(t, `console.error('out of paper'); process.exitCode = 3;`);
  await assert.rejects(
    runProgram(file, ['build'], never),
    /atlas-bridge build ended with 3 and no answer: out of paper/,
  );
});

test('ends the command and rejects when cancelled', { timeout: 20_000 }, async t => {
  const file = await program(t, `console.log('begun'); setInterval(() => undefined, 1000);`);
  const stop = new AbortController();
  const run = runProgram(file, ['build'], stop.signal);
  stop.abort();
  const answer = await run;
  assert.ok(!answer.ok && answer.error.code === 'CANCELLED');
});

test('[P6] starts no process in this thread, which a start would block', async t => {
  const file = await program(t, `console.log(JSON.stringify({ ok: true, output: '', bytes: 1, problems: [] }));`);
  using started = countStartedProcesses();
  assert.ok((await runProgram(file, [], never)).ok);
  assert.equal(started.count, 0);
  await once(spawn(process.execPath, ['--version']), 'close');
  assert.equal(started.count, 1, 'the count works');
});

const done = { ok: true, written: 1, removed: 1, refused: [], notes: [] };
const asking = `
  console.log(JSON.stringify({ event: 'part', writing: ['src/A.luau'] }));
  console.log(JSON.stringify({ event: 'part', removing: ['src/B.luau'] }));
  console.log(JSON.stringify({ event: 'asking', writing: 1, removing: 1 }));
  process.stdin.once('data', said => {
    const error = { code: 'CANCELLED', message: 'No.', hint: 'Ask again.' };
    const isYes = String(said) === 'yes\\n';
    console.log(JSON.stringify(isYes ? ${JSON.stringify(done)} : { ok: false, error, problems: [] }));
    process.exit();
  });`;

test('passes the decision about its plan to a program that asks', async t => {
  const file = await program(t, asking);
  const shown: unknown[] = [];
  const yes = await runSyncbackProgram(file, ['p'], never, async asked => shown.push(asked) > 0);
  assert.deepEqual(shown, [
    { writing: ['src/A.luau'], removing: ['src/B.luau'], refused: [], notes: [], counts: { writing: 1, removing: 1 } },
  ]);
  assert.deepEqual(yes, done);
  const no = await runSyncbackProgram(file, ['p'], never, async () => false);
  assert.ok('error' in no && no.error.code === 'CANCELLED');
});
