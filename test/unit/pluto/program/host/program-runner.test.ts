import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { createProgramRunner } from '../../../../../src/pluto/program/host/program-runner.ts';
import { tempFolder, type TempFolder } from '../../../../harness/temp-folder.ts';

const never = new AbortController().signal;
/** Seconds that nothing here takes, however busy the machine. */
const AMPLE = 280;
/** Text as the compiler makes it, with these statements as the start of the program. */
const program = (body: string, tests = ''): string =>
  `"use strict"; return { entry: { isBlocking: false, run: () => { ${body} } }, tests: [${tests}], scheduler: "Sequential" };`;
const named = (name: string, body: string): string => `{ name: "${name}", isBlocking: false, run: () => { ${body} } }`;
const print = (what: string): string => `$rt.builtins.print(${what});`;

async function runnerIn(environment: Readonly<Record<string, string>> = {}) {
  const folder = await tempFolder();
  return { runner: createProgramRunner({ folder: folder.path, environment, startedBy: 'agent' }), folder };
}

/** Where everybody puts temporary things until it is disposed. */
async function temporaryFolder(): Promise<TempFolder> {
  const [folder, before] = [await tempFolder(), process.env['TMPDIR']];
  process.env['TMPDIR'] = folder.path;
  return {
    ...folder,
    async [Symbol.asyncDispose]() {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('a program reads its input and ends with its own status; variables that may be secret are not there', async () => {
  const { runner, folder } = await runnerIn({ TOKEN: 'secret', PLUTO_X: 'x' });
  await using _ = folder;
  const get = `$rt.extern('__pluto_env_get', 'string')`;
  const line = `$rt.extern('__pluto_io_read_line', 'string')()`;
  const body = `${print(line)} ${print(`${get}('TOKEN') + ${get}('PLUTO_X')`)} return 300n;`;
  const ran = await runner.run(program(body), { stdin: 'né\n', seconds: AMPLE }, never);
  assert.deepEqual(ran, { exitCode: 44, stdout: 'né\nx\n', stderr: '', stopped: undefined });
});

test('a program that takes too long is stopped, and what it has printed is there', async () => {
  const { runner, folder } = await runnerIn();
  await using _ = folder;
  const ran = await runner.run(program(`${print('"begun"')} for (;;) {}`), { stdin: '', seconds: 1 }, never);
  assert.deepEqual(ran, {
    exitCode: undefined,
    stdout: 'begun\n',
    stderr: '',
    stopped: { budget: 'time', limit: 1, unit: 'seconds' },
  });
});

test('a program that prints too much is stopped where there is no more room', async () => {
  const { runner, folder } = await runnerIn();
  await using _ = folder;
  const body = `try { for (;;) ${print('"0123456789"')} } catch (error) { $rt.caught(error); }`;
  const { stdout, stopped } = await runner.run(program(body), { stdin: '', seconds: AMPLE }, never);
  assert.deepEqual(stopped, { budget: 'output', limit: 1 << 20, unit: 'bytes' });
  assert.equal(stdout.length, 1 << 20);
});

test('a program that takes too much memory is stopped', async () => {
  const { runner, folder } = await runnerIn();
  await using _ = folder;
  const body = `const all = []; for (;;) all.push(new Array(1_000_000).fill(0.5));`;
  const { stopped } = await runner.run(program(body), { stdin: '', seconds: AMPLE }, never);
  assert.deepEqual(stopped, { budget: 'memory', limit: 512, unit: 'megabytes' });
});

test('a recursion without an end is a failure of the program', async () => {
  const { runner, folder } = await runnerIn();
  await using _ = folder;
  const ran = await runner.run(program('const f = () => f() + 1; f();'), { stdin: '', seconds: AMPLE }, never);
  assert.deepEqual([ran.exitCode, ran.stderr], [1, 'pluto: stack overflow\n']);
});

test('a call that is given up stops the program, and leaves no temporary folder', async () => {
  const { runner, folder } = await runnerIn();
  await using _ = folder;
  await using temporary = await temporaryFolder();
  const stop = new AbortController();
  const ran = runner.run(program('for (;;) {}'), { stdin: '', seconds: AMPLE }, stop.signal);
  stop.abort(new Error('given up'));
  await assert.rejects(ran, /given up/);
  assert.deepEqual(await readdir(temporary.path), []);
});

test('each test has a verdict and its own output; one that does not end has failed, and those behind it are named', async () => {
  const { runner, folder } = await runnerIn();
  await using _ = folder;
  const tests = [
    named('passes', print('"quiet"')),
    named('fails', `${print('"loud"')} $rt.expectTrue(false, 7);`),
    named('hangs', `${print('"last"')} for (;;) {}`),
    named('waits', ''),
    named('other', ''),
  ];
  const text = program('', tests.join(', '));
  const ran = await runner.test(text, { filter: 's', seconds: 2 }, never);
  assert.deepEqual(ran.verdicts, [
    { name: 'passes', passed: true, output: 'quiet\n' },
    { name: 'fails', passed: false, output: 'loud\nFAIL (line 7): expected true but got false\n' },
    { name: 'hangs', passed: false, output: 'last\nstopped: it took more time than it may (2 seconds)\n' },
  ]);
  assert.deepEqual(ran.notRun, ['waits']);
  const few = await runner.test(text, { filter: 'pass', seconds: AMPLE }, never);
  assert.deepEqual([few.verdicts.length, few.stopped], [1, undefined]);
});
