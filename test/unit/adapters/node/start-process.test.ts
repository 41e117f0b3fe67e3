import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { createProcessThread, startProcess } from '../../../../src/adapters/node/start-process.ts';

const node = (code: string, ...args: readonly string[]) => ({
  program: process.execPath,
  args: ['--eval', code, ...args],
  env: { ...process.env, A_NAME: 'a value' },
});

test('passes arguments, environment, folder and input on, and returns both outputs and the exit code', async () => {
  const child = startProcess({
    ...node(
      `process.stdin.on('data', line => console.log(process.argv[1], process.env.A_NAME, process.cwd(), String(line)));
      process.stdin.on('end', () => { console.error('the end'); process.exitCode = 3; });`,
      'an argument',
    ),
    cwd: import.meta.dirname,
  });
  child.write('a line');
  child.write(undefined);
  const [out, error, code] = await Promise.all([text(child.stdout), text(child.stderr), child.ended]);
  assert.equal(out, `an argument a value ${import.meta.dirname} a line\n`);
  assert.equal(error, 'the end\n');
  assert.equal(code, 3);
});

test('rejects when there is no such program, or no such folder', async () => {
  const missing = startProcess({ program: '/no/such/program', args: [], env: {} });
  await assert.rejects(missing.ended, { message: 'spawn /no/such/program ENOENT', code: 'ENOENT', syscall: 'spawn' });
  assert.equal(await text(missing.stdout), '');
  await assert.rejects(startProcess({ ...node(''), cwd: '/no/such/folder' }).ended, /ENOENT/);
  await assert.rejects(startProcess({ program: 'a\0b', args: [], env: {} }).ended, /null bytes/);
});

test('ends a process that is killed, with exit code null', async () => {
  const child = startProcess(node(`console.log('begun'); setInterval(() => undefined, 1000);`));
  for await (const _ of child.stdout) child.kill('SIGKILL');
  assert.equal(await child.ended, null);
  child.stderr.destroy();
});

test('returns the output of a process that ended before it was read', async () => {
  const child = startProcess(node(`console.log('out'); console.error('error');`));
  assert.equal(await child.ended, 0);
  // Node reads the rest of the pipes in the next turns after the end.
  await setTimeout(50);
  assert.deepEqual(await Promise.all([text(child.stdout), text(child.stderr)]), ['out\n', 'error\n']);
});

test('leaves output in the process until it is read', async () => {
  const lines = 50_000;
  const child = startProcess(node(`for (let at = 0; at < ${lines}; at += 1) console.log('a line of output', at);`));
  let [bytes, unread] = [0, 0];
  for await (const chunk of child.stdout) {
    bytes += (chunk as Buffer).length;
    await new Promise(resolve => setImmediate(resolve));
    unread = Math.max(unread, child.stdout.readableLength);
  }
  assert.ok(bytes > 1_000_000, `${bytes} bytes`);
  assert.ok(unread <= 2 * 65_536, `${unread} bytes were sent before they were read`);
  assert.equal(await child.ended, 0);
  child.stderr.destroy();
});

test('starts the next process in a new thread after the thread failed', async () => {
  const broken = new URL('data:text/javascript,throw new Error("broken")');
  const start = createProcessThread({ worker: broken });
  for (let round = 0; round < 2; round += 1) {
    const child = start(node(''));
    await assert.rejects(child.ended, /broken/);
    assert.ok(child.stdout.destroyed && child.stderr.destroyed);
  }
});

test('keeps no program running while no process runs', { timeout: 30_000 }, async () => {
  // The unused thread would end after a minute.
  const source = new URL('../../../../src/adapters/node/start-process.ts', import.meta.url).href;
  const code = `import(${JSON.stringify(source)}).then(async ({ startProcess }) => {
    const options = { program: process.execPath, args: ['--eval', ''], env: {} };
    await startProcess({ ...options, program: '/no/such/program' }).ended.catch(() => undefined);
    const child = startProcess(options);
    child.stdout.resume();
    child.stderr.destroy();
    console.log(await child.ended);
  });`;
  const child = spawn(process.execPath, ['--eval', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  assert.equal(await text(child.stdout), '0\n');
});
