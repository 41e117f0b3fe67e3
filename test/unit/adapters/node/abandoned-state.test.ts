import assert from 'node:assert/strict';
import fs from 'node:fs';
import { existsSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { test, type TestContext } from 'node:test';
import { stateWriters } from '../../../harness/state-writers.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

/** The temporary files below a folder that `work` writes and then renames or links. */
async function temporaryFiles(
  t: TestContext,
  folder: string,
  work: () => Promise<unknown>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of ['rename', 'link'] as const) {
    const original = fs.promises[name];
    t.mock.method(fs.promises, name, (from: string, to: string) => {
      found.push(relative(folder, from));
      return original(from, to);
    });
  }
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  }
  return found;
}

for (const [name, write] of Object.entries(stateWriters))
  test(`removes what a crash left behind of an earlier write: ${name}`, async t => {
    await using first = await tempFolder();
    await using second = await tempFolder();
    const names = await temporaryFiles(t, first.path, () => write(first.path));
    const left = names.map(one => join(second.path, one));
    for (const file of left) {
      await mkdir(dirname(file), { recursive: true });
      writeFileSync(file, 'half');
    }
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 601_000 });
    await write(second.path);
    for (const file of left) assert.equal(existsSync(file), false, relative(second.path, file));
  });

test('keeps the temporary file that another program is writing', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, `token.${'0'.repeat(16)}.tmp`);
  writeFileSync(file, 'half');
  await stateWriters['token']?.(folder.path);
  assert.equal(existsSync(file), true);
});
