import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createJsonKeptPlaces } from '../../../../src/adapters/node/json-kept-places.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

function keptIn(folder: string) {
  let seconds = 0;
  return createJsonKeptPlaces(folder, { date: () => new Date(1_000 * (seconds += 1)).toISOString() });
}
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('lists kept places with their content, the newest one first, until they are removed', async () => {
  await using parent = await tempFolder();
  const folder = join(parent.path, 'headless');
  const kept = keptIn(folder);
  assert.deepEqual(await kept.list(), []);
  await kept.keep('/games/obby.rbxl', bytes('obby'));
  await kept.keep('/games/tycoon.RBXLX', bytes('tycoon'));
  const found = await kept.list();
  assert.deepEqual(
    found.map(({ place }) => place),
    ['/games/tycoon.RBXLX', '/games/obby.rbxl'],
  );
  const [tycoon, obby] = found;
  assert.ok(tycoon !== undefined && obby !== undefined);
  assert.equal(await readFile(tycoon.file, 'utf8'), 'tycoon');
  // Headless Studio reads a file in the format that its name says.
  assert.match(tycoon.file, /\.rbxlx$/);
  await kept.remove(tycoon);
  assert.deepEqual(await kept.list(), [obby]);
  await kept.remove(obby);
  assert.deepEqual(await readdir(folder), []);
});

test('keeps both contents of a place that was open twice', async () => {
  await using parent = await tempFolder();
  const kept = keptIn(parent.path);
  await kept.keep('/games/obby.rbxl', bytes('first'));
  await kept.keep('/games/obby.rbxl', bytes('second'));
  const contents = await Promise.all((await kept.list()).map(({ file }) => readFile(file, 'utf8')));
  assert.deepEqual(contents, ['second', 'first']);
});

test('keeps ten places', async () => {
  await using parent = await tempFolder();
  const kept = keptIn(parent.path);
  for (let place = 1; place <= 12; place += 1) await kept.keep(`/games/${place}.rbxl`, bytes('a'));
  assert.deepEqual(
    (await kept.list()).map(({ place }) => place),
    Array.from({ length: 10 }, (_, index) => `/games/${12 - index}.rbxl`),
  );
  assert.equal((await readdir(parent.path)).length, 20);
});

test('lists no place whose content is missing', async () => {
  await using parent = await tempFolder();
  const kept = keptIn(parent.path);
  await kept.keep('/games/obby.rbxl', bytes('obby'));
  for (const { file } of await kept.list()) await rm(file);
  assert.deepEqual(await kept.list(), []);
});
