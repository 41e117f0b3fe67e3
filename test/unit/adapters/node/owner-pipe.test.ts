import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { answerOn, isAnswered, ownerPipe } from '../../../../src/adapters/node/owner-pipe.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const skip = process.platform === 'win32' && 'a pipe of Windows is not a file in a folder';

test('answers for a process until it is killed, and never keeps it alive', { skip }, async () => {
  await using folder = await tempFolder();
  const pipe = join(folder.path, 'pipe');
  assert.equal(await isAnswered(pipe), false);
  const module = fileURLToPath(new URL('../../../../src/adapters/node/owner-pipe.ts', import.meta.url));
  const code = (rest: string): string =>
    `import { answerOn } from ${JSON.stringify(module)}; console.log(await answerOn(${JSON.stringify(pipe)})); ${rest}`;
  const args = ['--input-type=module', '-e'];
  const holder = spawn(process.execPath, [...args, code('setInterval(() => {}, 1000);')]);
  const [said] = (await once(holder.stdout, 'data')) as [Buffer];
  assert.equal(said.toString().trim(), 'true');
  assert.equal(await isAnswered(pipe), true);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  assert.equal(await isAnswered(pipe), false);
  const other = spawn(process.execPath, [...args, code('').replace('pipe"', 'other"')]);
  assert.deepEqual(await once(other, 'exit'), [0, null]);
});

test('reports that a name is in use', { skip }, async () => {
  await using folder = await tempFolder();
  const pipe = join(folder.path, 'pipe');
  assert.equal(await answerOn(pipe), true);
  assert.equal(await answerOn(pipe), false);
  assert.match(ownerPipe('abc'), /^\\\\\.\\pipe\\atlas-bridge-abc$/);
});
