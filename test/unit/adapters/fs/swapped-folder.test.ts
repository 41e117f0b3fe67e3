import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { AnchoredFolder } from '../../../../src/adapters/fs/anchored-folder.ts';
import { AppError } from '../../../../src/base/errors.ts';

for (const platform of ['linux', 'darwin'])
  test(`reaches a folder that became a link, or refuses it, on ${platform}`, async t => {
    const dir = realpathSync(mkdtempSync(join(tmpdir(), 'atlas-swap-')));
    const own = process.platform;
    t.after(() => {
      Object.defineProperty(process, 'platform', { value: own });
      rmSync(dir, { recursive: true, force: true });
    });
    Object.defineProperty(process, 'platform', { value: platform });
    const [root, outside] = [join(dir, 'project'), join(dir, 'outside')];
    const src = join(root, 'src');
    mkdirSync(outside);
    mkdirSync(root);
    await using folder = await AnchoredFolder.open(join(src, 'new'), root);
    writeFileSync(folder.at('a.luau'), 'one');
    await folder.verify();
    renameSync(src, `${src}.real`);
    symlinkSync(outside, src);
    if (platform === 'linux') assert.equal(readFileSync(folder.at('a.luau'), 'utf8'), 'one');
    else await assert.rejects(folder.verify());
    await assert.rejects(AnchoredFolder.open(src, root), { code: 'PATH_OUTSIDE_ROOT' });
    await assert.rejects(AnchoredFolder.open(join(src, 'new'), root), { code: 'PATH_OUTSIDE_ROOT' });
    assert.deepEqual(readdirSync(outside), []);
  });

test('opens no folder that was replaced by a link to another folder of the project', async () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'atlas-swap-')));
  try {
    mkdirSync(join(dir, 'other'));
    symlinkSync(join(dir, 'other'), join(dir, 'src'));
    await assert.rejects(AnchoredFolder.open(join(dir, 'src'), dir), error => AppError.is(error, 'PATH_OUTSIDE_ROOT'));
    assert.deepEqual(readdirSync(join(dir, 'other')), []);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
