import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { tempFolder } from '../../harness/temp-folder.ts';

const cli = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));

/** Prints the files that the process, or one of its threads, loads. */
const PRINT_LOADS = `data:text/javascript,${encodeURIComponent(
  "import { registerHooks } from 'node:module'; import { writeSync } from 'node:fs'; registerHooks({ load(url, context, next) { writeSync(2, url + '\\n'); return next(url, context); } });",
)}`;

test('loads no schemas, tools or ignore rules to run a program', async () => {
  await using folder = await tempFolder({ 'hello.pt': 'fn main() { for i in 0..1 { print("hello") } }' });
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--import', PRINT_LOADS, cli, 'pluto', 'run', join(folder.path, 'hello.pt')],
    { env: { ...process.env, XDG_STATE_HOME: join(folder.path, 'state') } },
  );
  assert.equal(stdout, 'hello\n');
  const loaded = stderr.split('\n').filter(line => line.startsWith('file:'));
  assert.ok(loaded.some(url => url.endsWith('program-thread.ts')));
  const heavy = loaded.filter(url => /\/(?:zod|re2js|diff)\/|src\/pluto\/tools|src\/mcp|src\/sync/.test(url));
  assert.deepEqual(heavy, []);
});
