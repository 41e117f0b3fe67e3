import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { serialize } from 'node:v8';
import { FrameReader, LOG_DESCRIPTOR, messageIn } from '../../../../../src/pluto/program/host/process-log.ts';
import { programWorker, runnerIn } from '../../../../harness/program-runner.ts';
import { tempFolder, type TempFolder } from '../../../../harness/temp-folder.ts';
import { lowered } from '../backend/run-source.ts';

const never = new AbortController().signal;
/** A time limit in seconds that no program here reaches, even on a busy machine. */
const AMPLE = 280;
/** Compiled text with these statements as the entry point. */
const program = (body: string, tests = ''): string =>
  `"use strict"; return { entry: { isBlocking: false, run: () => { ${body} } }, tests: [${tests}], scheduler: "Sequential" };`;
const named = (name: string, body: string): string => `{ name: "${name}", isBlocking: false, run: () => { ${body} } }`;
const print = (what: string): string => `$rt.builtins.print(${what});`;

/** Redirects temporary files of the process to a new folder until it is disposed. */
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

test('passes input and exit status, and hides environment variables that may be secret', async () => {
  const { runner, folder } = await runnerIn({ environment: { TOKEN: 'secret', PLUTO_X: 'x' } });
  await using _ = folder;
  const get = `$rt.extern('__pluto_env_get', 'string')`;
  const line = `$rt.extern('__pluto_io_read_line', 'string')()`;
  const body = `${print(line)} ${print(`${get}('TOKEN') + ${get}('PLUTO_X')`)} return 300n;`;
  const ran = await runner.run(program(body), { stdin: 'né\n', seconds: AMPLE }, never);
  assert.deepEqual(ran, { exitCode: 44, stdout: 'né\nx\n', stderr: '', stopped: undefined });
});

test('stops a program at the time limit, and keeps its output', async () => {
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

test('stops a program at the output limit', async () => {
  const { runner, folder } = await runnerIn();
  await using _ = folder;
  const body = `try { for (;;) ${print('"0123456789"')} } catch (error) { $rt.caught(error); }`;
  const { stdout, stopped } = await runner.run(program(body), { stdin: '', seconds: AMPLE }, never);
  assert.deepEqual(stopped, { budget: 'output', limit: 1 << 20, unit: 'bytes' });
  assert.equal(stdout.length, 1 << 20);
});

test('stops a program at the memory limit', async () => {
  const { runner, folder } = await runnerIn();
  await using _ = folder;
  const body = `const all = []; for (;;) all.push(new Array(1_000_000).fill(0.5));`;
  const { stopped } = await runner.run(program(body), { stdin: '', seconds: AMPLE }, never);
  assert.deepEqual(stopped, { budget: 'memory', limit: 512, unit: 'megabytes' });
});

/** A block that is larger than the memory of a program, so that V8 ends its process. */
const HUGE_BLOCK = `let s = "abcdefgh"; for (let i = 0; i < 25; i += 1) s += s; return s.split("c").length;`;

test('keeps the output of a program when V8 ends its process', async () => {
  const { runner, folder } = await runnerIn();
  await using _ = folder;
  const body = `${print('"begun"')} ${print('"x".repeat(300_000)')} ${HUGE_BLOCK}`;
  const ran = await runner.run(program(body), { stdin: '', seconds: AMPLE }, never);
  assert.deepEqual(ran, {
    exitCode: undefined,
    stdout: `begun\n${'x'.repeat(300_000)}\n`,
    stderr: '',
    stopped: { budget: 'memory', limit: 512, unit: 'megabytes' },
  });
});

test('names the memory limit when V8 prints a long native trace before it ends the process', async () => {
  const { runner, folder } = await runnerIn();
  await using _ = folder;
  const error = `"FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory" + "\\n 1: frame".repeat(500)`;
  const body = `${print('"begun"')} process.getBuiltinModule('fs').writeSync(2, ${error}); process.kill(process.pid, 'SIGABRT'); for (;;) {}`;
  const ran = await runner.run(program(body), { stdin: '', seconds: AMPLE }, never);
  assert.deepEqual([ran.stdout, ran.stopped], ['begun\n', { budget: 'memory', limit: 512, unit: 'megabytes' }]);
});

test('keeps the verdicts and output of tests when V8 ends their process', async () => {
  const { runner, folder } = await runnerIn();
  await using _ = folder;
  const tests = [
    named('passes', print('"quiet"')),
    named('hungry', `${print('"last"')} ${HUGE_BLOCK}`),
    named('waits', ''),
  ];
  const ran = await runner.test(program('', tests.join(', ')), { filter: '', seconds: AMPLE }, never);
  assert.deepEqual(ran.verdicts, [
    { name: 'passes', passed: true, output: 'quiet\n' },
    { name: 'hungry', passed: false, output: 'last\nstopped: exceeded the memory limit (512 megabytes)\n' },
  ]);
  assert.deepEqual(ran.notRun, ['waits']);
});

test('keeps the output of a program when its whole process hangs until it is killed', async () => {
  const { runner, folder } = await runnerIn();
  await using _ = folder;
  const body = `${print('"begun"')} process.kill(process.pid, 'SIGSTOP');`;
  const ran = await runner.run(program(body), { stdin: '', seconds: 1 }, never);
  assert.deepEqual([ran.stdout, ran.stopped], ['begun\n', { budget: 'time', limit: 1, unit: 'seconds' }]);
});

test('reports its start before anything of the program, which may stop the whole process', async () => {
  await using folder = await tempFolder();
  const child = spawn(process.execPath, [fileURLToPath(programWorker)], {
    stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
  });
  try {
    const reach = { folder: folder.path, temporary: folder.path, isUnlimited: false };
    const job = { program: program(print('"begun"')), tests: undefined, input: undefined, environment: {}, reach };
    child.stdin?.end(serialize({ job, limits: { seconds: AMPLE, megabytes: 512, outputBytes: 100 } }));
    const [chunk] = (await once(child.stdio[LOG_DESCRIPTOR] as Readable, 'data')) as [Buffer];
    const [first] = new FrameReader().take(chunk);
    assert.equal(first?.kind, 'message');
    assert.deepEqual(messageIn(first), { kind: 'begun' });
  } finally {
    child.kill('SIGKILL');
  }
});

test('stops a program at the memory limit when the memory is outside the heap', async () => {
  const { runner, folder } = await runnerIn();
  await using _ = folder;
  // Programs cannot create buffers; this stands for whatever the host allocates for them.
  const body = `const all = []; for (;;) all.push(new Uint8Array(10_000_000).fill(1));`;
  const { stopped } = await runner.run(program(body), { stdin: '', seconds: AMPLE }, never);
  assert.deepEqual(stopped, { budget: 'memory', limit: 512, unit: 'megabytes' });
});

test('stops a program at the time limit when a system call never returns', async () => {
  const { runner, folder } = await runnerIn();
  await using _ = folder;
  // The thread waits in the kernel, where it cannot be terminated.
  const body = `${print('"begun"')} process.binding('spawn_sync').spawn({ file: 'sleep', args: ['sleep', '60'], stdio: [] });`;
  const ran = await runner.run(program(body), { stdin: '', seconds: 1 }, never);
  assert.deepEqual([ran.stdout, ran.stopped], ['begun\n', { budget: 'time', limit: 1, unit: 'seconds' }]);
});

test('runs a recursion of 100,000 matches in WebAssembly', async () => {
  const text = await lowered(`enum Chain {
    End
    Node { size: int, next: Chain }
}
fn sum(chain: Chain) int {
    return match chain {
        Chain.End => 0,
        Chain.Node { size, next } => size + sum(next)
    }
}
fn made(count: int) Chain {
    let mut chain = Chain.End
    for i in 0..count { chain = Chain.Node { size: i, next: chain } }
    return chain
}
fn main() { print(sum(made(100000))) }`);
  assert.match(text, /\$rt\.wasm\("/);
  const { runner, folder } = await runnerIn();
  await using _ = folder;
  const { stdout, stderr } = await runner.run(text, { stdin: '', seconds: AMPLE }, never);
  assert.deepEqual([stdout, stderr], ['4999950000\n', '']);
});

test('fails with a stack overflow when the recursion is endless', async () => {
  const { runner, folder } = await runnerIn();
  await using _ = folder;
  const ran = await runner.run(program('const f = () => f() + 1; f();'), { stdin: '', seconds: AMPLE }, never);
  assert.deepEqual([ran.exitCode, ran.stderr], [1, 'pluto: stack overflow\n']);
});

test('stops the program and removes its temporary folder when the call is aborted', async () => {
  const { runner, folder } = await runnerIn();
  await using _ = folder;
  await using temporary = await temporaryFolder();
  const stop = new AbortController();
  const ran = runner.run(program('for (;;) {}'), { stdin: '', seconds: AMPLE }, stop.signal);
  stop.abort(new Error('aborted'));
  await assert.rejects(ran, /aborted/);
  assert.deepEqual(await readdir(temporary.path), []);
});

test('reports a verdict and output per test, fails an endless one, and names tests not run', async () => {
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
    { name: 'hangs', passed: false, output: 'last\nstopped: exceeded the time limit (2 seconds)\n' },
  ]);
  assert.deepEqual(ran.notRun, ['waits']);
  const few = await runner.test(text, { filter: 'pass', seconds: AMPLE }, never);
  assert.deepEqual([few.verdicts.length, few.stopped], [1, undefined]);
});
