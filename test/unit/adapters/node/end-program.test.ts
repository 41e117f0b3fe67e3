import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { endProgram } from '../../../../src/adapters/node/end-program.ts';
import type { RunQuietly } from '../../../../src/adapters/node/run-quietly.ts';

const windows = { SystemRoot: String.raw`D:\Windows` };

/** A program that records calls of its `kill`. */
function program(pid: number | undefined) {
  const ended: string[] = [];
  return { pid, ended, kill: () => ended.push('killed') > 0 };
}

test('ends a program and its child processes with taskkill on Windows', async () => {
  const child = program(4711);
  const run: RunQuietly = async (name, args, folder) => {
    child.ended.push([name, ...args, folder].join('|'));
    return new Uint8Array();
  };
  await endProgram(child, 'win32', windows, run);
  assert.deepEqual(child.ended, [String.raw`D:\Windows\System32\taskkill.exe|/T|/F|/PID|4711|D:\Windows`]);
});

test('ends only the program when taskkill fails or the process id is unknown', async () => {
  const child = program(4711);
  await endProgram(child, 'win32', windows, async () => undefined);
  assert.deepEqual(child.ended, ['killed']);
  const withoutPid = program(undefined);
  await endProgram(withoutPid, 'win32', windows, async () => assert.fail('there is nothing to end'));
  assert.deepEqual(withoutPid.ended, ['killed']);
});

test(
  'sends a signal on other systems, which the program passes on to its child processes',
  { timeout: 20_000 },
  async () => {
    const inner = "process.stdout.write('begun'); setInterval(() => undefined, 1000)";
    const outer = `
    const inner = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'inherit' });
    process.once('SIGTERM', () => { inner.once('exit', () => process.exit(7)); inner.kill(); });`;
    const child = spawn(process.execPath, ['-e', outer], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    const closed = once(child, 'close');
    await endProgram(child, 'linux', {}, async () => assert.fail('no other program is run'));
    assert.deepEqual(await closed, [7, null]);
  },
);
