import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProjectPath } from '../../src/base/brand.ts';
import { createNodeFileSystem } from '../../src/adapters/fs/node-file-system.ts';
import { replaceFile } from '../../src/adapters/fs/replace-file.ts';
import { readOpen, readOpenSync } from '../../src/adapters/fs/read-open.ts';
import { nodeHasher } from '../../src/adapters/node/hasher.ts';
import type { FileSystem } from '../../src/ports/file-system.ts';
import { fileSystemContract } from './file-system.contract.ts';

const path = (text: string): ProjectPath => text as ProjectPath;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const hashOf = (text: string) => ({ kind: 'hash', gitBlob: nodeHasher.gitBlob(bytes(text)) }) as const;

async function folder(
  readFrom = readOpen,
): Promise<{ readonly files: FileSystem; readonly root: string } & AsyncDisposable> {
  const root = await mkdtemp(join(tmpdir(), 'atlas-fs-'));
  return {
    root,
    files: createNodeFileSystem(root, nodeHasher, readFrom),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

fileSystemContract('node', folder);
fileSystemContract('node, synchronous reads', () => folder(readOpenSync));

test('node: never follows a link that leads outside, for reading or writing', async () => {
  await using world = await folder();
  await using outside = await folder();
  await writeFile(join(outside.root, 'secret.luau'), 'secret');
  await symlink(join(outside.root, 'secret.luau'), join(world.root, 'link.luau'));
  await symlink(outside.root, join(world.root, 'dir'));
  const refused = { code: 'PATH_OUTSIDE_ROOT' };
  await assert.rejects(world.files.read(path('link.luau')), refused);
  await assert.rejects(world.files.stat(path('dir/secret.luau')), refused);
  await assert.rejects(world.files.list(path('dir')), refused);
  await assert.rejects(world.files.replace(path('link.luau'), bytes('x'), hashOf('secret')), refused);
  await assert.rejects(world.files.replace(path('dir/new/x.luau'), bytes('x'), { kind: 'absent' }), refused);
  await assert.rejects(world.files.remove(path('dir/secret.luau'), hashOf('secret')), refused);
  assert.deepEqual(await world.files.list(path('')), [
    { name: 'dir', kind: 'other' },
    { name: 'link.luau', kind: 'other' },
  ]);
  assert.deepEqual(await readdir(outside.root), ['secret.luau']);
  assert.equal(await readFile(join(outside.root, 'secret.luau'), 'utf8'), 'secret');
});

test('node: never follows a link to Git data or secrets, for reading or writing', async () => {
  await using world = await folder();
  await mkdir(join(world.root, '.git'));
  await writeFile(join(world.root, '.git', 'config'), '[core]');
  await writeFile(join(world.root, '.env'), 'TOKEN=1');
  await symlink('.env', join(world.root, 'env.txt'));
  await symlink('.git', join(world.root, 'data'));
  const refused = { code: 'PATH_OUTSIDE_ROOT' };
  await assert.rejects(world.files.read(path('env.txt')), refused);
  await assert.rejects(world.files.read(path('data/config')), refused);
  await assert.rejects(world.files.replace(path('data/config'), bytes('x'), hashOf('[core]')), refused);
  await assert.rejects(world.files.remove(path('data/config'), hashOf('[core]')), refused);
  const kinds = (await world.files.list(path(''))).map(({ name, kind }) => `${name} ${kind}`);
  assert.deepEqual(kinds, ['.env other', '.git other', 'data other', 'env.txt other']);
  assert.equal(await readFile(join(world.root, '.git', 'config'), 'utf8'), '[core]');
});

test('node, synchronous reads: follows the same links', async () => {
  await using world = await folder(readOpenSync);
  await using outside = await folder();
  await writeFile(join(world.root, 'a.luau'), 'one');
  await writeFile(join(outside.root, 'secret.luau'), 'secret');
  await symlink('a.luau', join(world.root, 'inside.luau'));
  await symlink(join(outside.root, 'secret.luau'), join(world.root, 'outside.luau'));
  assert.equal(Buffer.from(await world.files.read(path('inside.luau'))).toString(), 'one');
  await assert.rejects(world.files.read(path('outside.luau')), { code: 'PATH_OUTSIDE_ROOT' });
});

test('node: follows links inside the folder, and treats a circular link as a file', async () => {
  await using world = await folder();
  await mkdir(join(world.root, 'real'));
  await writeFile(join(world.root, 'real', 'a.luau'), 'one');
  await symlink(join(world.root, 'real'), join(world.root, 'alias'));
  await symlink('a.luau', join(world.root, 'real', 'b.luau'));
  await symlink(world.root, join(world.root, 'real', 'circle'));
  await world.files.replace(path('alias/b.luau'), bytes('two'), hashOf('one'));
  assert.equal(
    await readFile(join(world.root, 'real', 'a.luau'), 'utf8'),
    'two',
    'the file behind the link was replaced',
  );
  assert.deepEqual(await world.files.list(path('alias')), [
    { name: 'a.luau', kind: 'file' },
    { name: 'b.luau', kind: 'file', target: 'real/a.luau' },
    { name: 'circle', kind: 'other' },
  ]);
  await world.files.remove(path('real/b.luau'), hashOf('two'));
  assert.deepEqual(await readdir(join(world.root, 'real')), ['a.luau', 'circle'], 'removes the link, not its target');
});

test('node: refuses a folder that became a link to outside since it was listed', async t => {
  await using world = await folder();
  await using outside = await folder();
  for (const { root } of [world, outside]) await mkdir(join(root, 'a', 'b', 'c'), { recursive: true });
  let now = 0;
  t.mock.method(process, 'uptime', () => now / 1_000);
  for (const each of ['', 'a', 'a/b']) await world.files.list(path(each));
  await rename(join(world.root, 'a'), join(world.root, 'old'));
  await symlink(join(outside.root, 'a'), join(world.root, 'a'));
  const refused = { code: 'PATH_OUTSIDE_ROOT' };
  await assert.rejects(world.files.list(path('a')), refused);
  // A folder below is known for 100 ms, and its own folders not longer.
  now = 60;
  await world.files.list(path('a/b/c'));
  now = 101;
  for (const each of ['a/b', 'a/b/c']) {
    await assert.rejects(world.files.list(path(each)), refused);
    await assert.rejects(world.files.stat(path(`${each}/x.luau`)), refused);
  }
});

test('node: finds a folder that moved with the link above it', async () => {
  await using world = await folder();
  for (const each of ['one/b', 'two/c']) await mkdir(join(world.root, each), { recursive: true });
  await symlink('one', join(world.root, 'a'));
  for (const each of ['', 'a', 'a/b']) await world.files.list(path(each));
  await rm(join(world.root, 'a'));
  await symlink('two', join(world.root, 'a'));
  assert.deepEqual(await world.files.list(path('a/c')), []);
  assert.deepEqual(await world.files.list(path('a')), [{ name: 'c', kind: 'directory' }]);
});

test('node: keeps the mode of the file that it replaces', async () => {
  await using world = await folder();
  await writeFile(join(world.root, 'run.luau'), 'one');
  await chmod(join(world.root, 'run.luau'), 0o750);
  await world.files.replace(path('run.luau'), bytes('two'), hashOf('one'));
  assert.equal((await stat(join(world.root, 'run.luau'))).mode & 0o777, 0o750);
});

test('node: leaves no file and no folder behind when a write fails', async () => {
  await using world = await folder();
  await mkdir(join(world.root, 'a'));
  await writeFile(join(world.root, 'a', 'x'), '');
  const long = `a/new/${'n'.repeat(300)}.luau`;
  await assert.rejects(world.files.replace(path(long), bytes('x'), { kind: 'absent' }), { code: 'FS_WRITE_FAILED' });
  assert.deepEqual(await readdir(join(world.root, 'a')), ['x']);
});

test('node: lets only one of two concurrent writes create a file, and writes it whole', async () => {
  await using world = await folder();
  const texts = Array.from({ length: 8 }, (_, n) => `${n}`.repeat(10_000));
  const results = await Promise.allSettled(
    texts.map(text => world.files.replace(path('new.luau'), bytes(text), { kind: 'absent' })),
  );
  assert.equal(results.filter(result => result.status === 'fulfilled').length, 1);
  for (const result of results) if (result.status === 'rejected') assert.equal(result.reason.code, 'FILE_CHANGED');
  assert.ok(texts.includes(await readFile(join(world.root, 'new.luau'), 'utf8')));
  assert.deepEqual(await readdir(world.root), ['new.luau']);
});

test('node: does not list the temporary file of a crashed write', async () => {
  await using world = await folder();
  await writeFile(join(world.root, '.atlas-bridge-0123456789abcdef.tmp'), 'half');
  assert.deepEqual(await world.files.list(path('')), []);
});

test('node: removes temporary files of crashed writes after a minute', async t => {
  await using world = await folder();
  await writeFile(join(world.root, '.atlas-bridge-0123456789abcdef.tmp'), 'half');
  await world.files.list(path(''));
  assert.deepEqual(await readdir(world.root), ['.atlas-bridge-0123456789abcdef.tmp']);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 });
  await world.files.list(path(''));
  assert.deepEqual(await readdir(world.root), []);
});

for (const moment of [1, 2])
  test(`node: replaces an old file whose folder is listed during check ${moment}`, async () => {
    await using world = await folder();
    const file = join(world.root, 'old.luau');
    await writeFile(file, 'old');
    const hourAgo = new Date(Date.now() - 3_600_000);
    await utimes(file, hourAgo, hourAgo);
    let checks = 0;
    const result = await replaceFile(file, bytes('new'), async at => {
      checks += 1;
      if (checks === moment) await world.files.list(path(''));
      return (await readFile(at, 'utf8')) === 'old';
    });
    assert.deepEqual([result, await readFile(file, 'utf8')], ['replaced', 'new']);
  });

test(
  'node: lists names that a project path cannot express as other',
  { skip: process.platform === 'win32' && 'Windows has no such names' },
  async () => {
    await using world = await folder();
    await writeFile(join(world.root, 'a\\b.luau'), '');
    await writeFile(Buffer.concat([Buffer.from(`${world.root}/`), Buffer.from([0x66, 0xff])]), '');
    assert.deepEqual(
      (await world.files.list(path(''))).map(entry => entry.kind),
      ['other', 'other'],
    );
  },
);

for (const how of ['in place', 'by another file', 'by removing it'] as const)
  test(`node: replace reports a file that another program changes right after, ${how}`, async () => {
    await using world = await folder();
    const file = join(world.root, 'a.luau');
    await writeFile(file, 'one');
    let isOver = false;
    const overwrite = (): void => {
      if (isOver) return;
      if (readFileSync(file, 'utf8') !== 'two') return void setImmediate(overwrite);
      if (how === 'in place') writeFileSync(file, 'six');
      else rmSync(file);
      if (how === 'by another file') writeFileSync(file, 'six');
    };
    overwrite();
    try {
      await assert.rejects(world.files.replace(path('a.luau'), bytes('two'), hashOf('one')), {
        code: 'FILE_OVERWRITTEN',
      });
    } finally {
      isOver = true;
    }
    assert.deepEqual(await readdir(world.root), how === 'by removing it' ? [] : ['a.luau']);
  });
