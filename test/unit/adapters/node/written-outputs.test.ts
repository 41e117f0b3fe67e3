import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createWrittenOutputs } from '../../../../src/adapters/node/written-outputs.ts';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const place = 'game.rbxl' as ProjectPath;
const stamp = { size: 10, ctimeMs: 1.5 };

test('knows the file that a command wrote until its size or time differs', async () => {
  await using folder = await tempFolder({});
  const outputs = createWrittenOutputs(join(folder.path, 'state'));
  assert.equal(await outputs.has(place, stamp), false);
  await outputs.remember(place, stamp);
  assert.equal(await outputs.has(place, stamp), true);
  assert.equal(await outputs.has(place, { ...stamp, size: 11 }), false);
  assert.equal(await outputs.has(place, { ...stamp, ctimeMs: 2 }), false);
  assert.equal(await outputs.has('other.rbxl' as ProjectPath, stamp), false);
});

test('remembers the newest 200 files', async () => {
  await using folder = await tempFolder({});
  const outputs = createWrittenOutputs(folder.path);
  const path = (number: number): ProjectPath => `place-${number}.rbxl` as ProjectPath;
  for (let number = 0; number < 202; number += 1) await outputs.remember(path(number), stamp);
  assert.equal(await outputs.has(path(1), stamp), false);
  assert.equal(await outputs.has(path(2), stamp), true);
  assert.equal(await outputs.has(path(201), stamp), true);
});

test('knows no file when its list is damaged', async () => {
  await using folder = await tempFolder({});
  const outputs = createWrittenOutputs(folder.path);
  for (const content of ['{', '{"game.rbxl":[10,1.5]}', '[["game.rbxl",["10",1.5]],[1]]']) {
    await writeFile(join(folder.path, 'outputs.json'), content);
    assert.equal(await outputs.has(place, stamp), false, content);
  }
  await outputs.remember(place, stamp);
  assert.equal(await outputs.has(place, stamp), true);
});
