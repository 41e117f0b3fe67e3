import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { CliIo } from '../../../src/cli/io.ts';
import { runCommandLine } from '../../../src/cli/main.ts';
import { readProjectArgs } from '../../../src/cli/project-args.ts';
import { ok } from '../../../src/base/result.ts';
import { runProjectCommand } from '../../../src/cli/run-project-command.ts';
import { fmtProjectSpec } from '../../../src/cli/table/project-specs.ts';

const folder = mkdtempSync(join(tmpdir(), 'unexpected-'));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'default.project.json'), '{"name": "Game", "tree": {"$className": "Folder"}}');

function memoryIo(env: CliIo['env']) {
  const out: string[] = [];
  const err: string[] = [];
  const io: CliIo = {
    out: line => void out.push(line),
    err: line => void err.push(line),
    cwd: folder,
    env,
    stop: new AbortController().signal,
    version: '1',
  };
  return { io, out, err };
}

async function failing(args: readonly string[], level: string) {
  const { io, out, err } = memoryIo({ ATLAS_BRIDGE_LOG: level });
  const command = {
    spec: fmtProjectSpec,
    phase: 'formatting',
    read: (given: readonly string[]) => readProjectArgs(given, fmtProjectSpec, () => ok({})),
  };
  const code = await runProjectCommand(command, args, io, () => {
    throw new TypeError('no shelf');
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

test('answers an unexpected error as JSON, and prints its stack only in the debug log', async () => {
  const quiet = await failing(['--json'], 'warn');
  assert.deepEqual([quiet.code, quiet.err], [1, '']);
  const answer = JSON.parse(quiet.out) as { readonly ok: boolean; readonly error: { readonly code: string } };
  assert.deepEqual([answer.ok, answer.error.code], [false, 'INTERNAL']);
  const loud = await failing(['--json'], 'debug');
  assert.equal(loud.out, quiet.out);
  assert.match(loud.err, /^ {2}TypeError: no shelf\n +at /m);
});

test('prints the stack of an unexpected error with -vv and ATLAS_BRIDGE_LOG=trace', async () => {
  assert.match((await failing([], 'warn')).err, /^error: unexpected error.*\nhint: [^\n]*$/);
  for (const level of ['trace', 'warn,debug'])
    assert.match((await failing([], level)).err, /\n {2}TypeError: no shelf\n/);
});

test('answers the failure of a command without a project as JSON', async () => {
  // The state folder cannot be below a file.
  const { io, out } = memoryIo({ XDG_STATE_HOME: join(folder, 'default.project.json') });
  assert.equal(await runCommandLine(['serve', folder, '--json', '--port', '0'], io), 1);
  const answer = JSON.parse(out.join('\n')) as { readonly ok: boolean; readonly error: { readonly message: string } };
  assert.equal(answer.ok, false);
  assert.match(answer.error.message, /default\.project\.json/);
});
