import assert from 'node:assert/strict';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { parseRootPath } from '../../../../../src/base/root-path.ts';
import { nodeRootFiles } from '../../../../../src/docs/adapters/files/node-root-files.ts';

test('reads the entries of a folder in batches, so that no turn creates all of them', async () => {
  const folder = await promises.realpath(await promises.mkdtemp(join(tmpdir(), 'atlas-list-')));
  await using _ = { [Symbol.asyncDispose]: () => promises.rm(folder, { recursive: true }) };
  const names = Array.from({ length: 2_500 }, (__, index) => `page-${index}.md`);
  for (const name of names) await promises.writeFile(join(folder, name), '');
  await promises.mkdir(join(folder, 'inside'));
  await promises.symlink(folder, join(folder, 'link'));
  const whole = mock.method(promises, 'readdir');
  const batched = mock.method(promises, 'opendir');
  syncBuiltinESMExports();
  try {
    const path = parseRootPath('');
    assert.ok(path !== undefined);
    const listed = await nodeRootFiles.list({ id: 'docs', folder }, path);
    const kindOf = new Map(listed.map(({ name, kind }) => [name, kind]));
    assert.deepEqual([kindOf.size, kindOf.get('inside'), kindOf.get('link')], [names.length + 2, 'directory', 'link']);
    assert.ok(names.every(name => kindOf.get(name) === 'file'));
  } finally {
    mock.restoreAll();
    syncBuiltinESMExports();
  }
  assert.equal(whole.mock.callCount(), 0);
  const [first] = batched.mock.calls;
  assert.ok((first?.arguments[1]?.bufferSize ?? Number.POSITIVE_INFINITY) <= 1_024);
});
