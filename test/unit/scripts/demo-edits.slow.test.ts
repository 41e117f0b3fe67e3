import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { execFileSync } from 'node:child_process';
import {
  bothInStudio,
  bothOnDisk,
  editOnDisk,
  newFile,
  replaced,
  studioOnly,
} from '../../../scripts/start/demo-edits.ts';
import { prepareExample } from '../../../scripts/start/prepare-example.ts';

test('creates the same history each time, and every edit of the demo finds its line', async t => {
  const dir = mkdtempSync(join(tmpdir(), 'atlas-example-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const git = (folder: string, ...args: string[]): string =>
    execFileSync('git', args, { cwd: join(dir, folder), encoding: 'utf8' }).trim();
  await prepareExample(join(dir, 'one'));
  await prepareExample(join(dir, 'two'));
  assert.equal(git('one', 'rev-parse', 'HEAD'), git('two', 'rev-parse', 'HEAD'));
  assert.equal(git('one', 'status', '--porcelain'), '');
  assert.ok(git('one', 'log', '--oneline').split('\n').length > 3);

  for (const edit of [studioOnly, bothInStudio]) {
    const text = readFileSync(join(dir, 'one', edit.file), 'utf8');
    assert.notEqual(replaced(text, edit), text);
  }
  assert.ok(!existsSync(join(dir, 'one', newFile.file)), 'the new file exists already');
  editOnDisk(join(dir, 'one'));
  assert.match(readFileSync(join(dir, 'one', bothOnDisk.file), 'utf8'), new RegExp(bothOnDisk.to));
  const changed = git('one', 'status', '--porcelain')
    .split('\n')
    .map(line => line.trim().split(' ').at(-1));
  assert.deepEqual(changed, ['src/shared/Config/Shop.luau', 'src/shared/Config/Stages.luau', newFile.file]);
});

test('an edit fails when its line is missing', () => {
  assert.throws(() => replaced('nothing', studioOnly), /does not contain/);
});
