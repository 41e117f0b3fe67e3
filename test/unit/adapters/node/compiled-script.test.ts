import assert from 'node:assert/strict';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadCompiled } from '../../../../src/adapters/node/compiled-script.ts';
import { type TempFolder, tempFolder } from '../../../harness/temp-folder.ts';

const SCRIPT = `const { sep } = require('node:path');
exports.file = __filename;
exports.add = (a, b) => a + b + (sep.length - 1);`;

/** Loads the script as one process, calls its function, and keeps its code. */
function addAndKeep(folder: TempFolder): unknown {
  const script = loadCompiled(join(folder.path, 'add-two.cjs'), '1.2.3', {
    NODE_COMPILE_CACHE: join(folder.path, 'kept'),
  });
  const { file, add } = script.exports as { readonly file: string; readonly add: (a: number, b: number) => number };
  assert.equal(file, join(folder.path, 'add-two.cjs'));
  const sum = add(1, 2);
  script.keep();
  return sum;
}

async function keptFile(folder: TempFolder): Promise<string> {
  const names = await readdir(join(folder.path, 'kept'));
  assert.equal(names.length, 1, names.join(', '));
  return join(folder.path, 'kept', names[0] ?? '');
}

test('keeps the code that the first three processes compiled', async () => {
  await using folder = await tempFolder({ 'add-two.cjs': SCRIPT });
  const keepers: (number | undefined)[] = [];
  for (let process = 1; process <= 5; process += 1) {
    assert.equal(addAndKeep(folder), 3);
    keepers.push((await readFile(await keptFile(folder)))[0]);
  }
  assert.deepEqual(keepers, [1, 2, 3, 3, 3]);
});

test('compiles the script again when its kept code is damaged in any byte, or cut off', async () => {
  await using folder = await tempFolder({ 'add-two.cjs': SCRIPT });
  addAndKeep(folder);
  const path = await keptFile(folder);
  const whole = await readFile(path);
  const broken = [
    Buffer.alloc(0),
    whole.subarray(0, 1),
    whole.subarray(0, whole.length / 2),
    whole.subarray(0, -1),
    ...[8, 9, 300, whole.length >> 1, whole.length - 1].map(at => {
      const copy = Buffer.from(whole);
      copy[at] = (copy[at] ?? 0) ^ 0xff;
      return copy;
    }),
  ];
  for (const bytes of broken) {
    await writeFile(path, bytes);
    assert.equal(addAndKeep(folder), 3);
    assert.deepEqual((await readFile(path))[0], 1, 'kept again, as by a first process');
  }
});

test('runs a new script of the same size, not the code of the former one', async () => {
  await using folder = await tempFolder({ 'add-two.cjs': SCRIPT });
  addAndKeep(folder);
  await writeFile(join(folder.path, 'add-two.cjs'), SCRIPT.replace('a + b', 'a - b'));
  await utimes(join(folder.path, 'add-two.cjs'), 1, 1);
  assert.equal(addAndKeep(folder), -1);
});

test('deletes the code of versions that were used long ago, and nothing else', async () => {
  await using folder = await tempFolder({
    'add-two.cjs': SCRIPT,
    'kept/add-two.cjs-1': '',
    'kept/add-two.cjs-2': '',
    'kept/add-1': '',
  });
  for (const name of ['add-two.cjs-1', 'add-1']) await utimes(join(folder.path, 'kept', name), 1, 1);
  addAndKeep(folder);
  const names = await readdir(join(folder.path, 'kept'));
  assert.deepEqual(names.filter(name => /-[12]$/.test(name)).sort(), ['add-1', 'add-two.cjs-2']);
});

test('runs a script whose code cannot be kept', async () => {
  await using folder = await tempFolder({ 'add-two.cjs': SCRIPT, kept: '' });
  assert.equal(addAndKeep(folder), 3);
});
