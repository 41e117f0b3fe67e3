import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { ProjectPath } from '../../src/base/brand.ts';
import type { FileSystem } from '../../src/ports/file-system.ts';
import { nodeHasher } from '../../src/adapters/node/hasher.ts';

const path = (text: string): ProjectPath => text as ProjectPath;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const hashOf = (text: string) => ({ kind: 'hash', gitBlob: nodeHasher.gitBlob(bytes(text)) }) as const;
const absent = { kind: 'absent' } as const;

/** The contract of every `FileSystem`, for the fake and the real one. `create` returns an empty folder. */
export function fileSystemContract(
  name: string,
  create: () => Promise<{ readonly files: FileSystem } & AsyncDisposable>,
): void {
  const read = async (files: FileSystem, file: string): Promise<string> =>
    Buffer.from(await files.read(path(file))).toString();

  test(`${name}: reads what was written, and creates missing folders`, async () => {
    await using world = await create();
    await world.files.replace(path('a/b/ü.luau'), bytes('one\r\n'), absent);
    assert.equal(await read(world.files, 'a/b/ü.luau'), 'one\r\n');
    assert.deepEqual((await world.files.stat(path('a/b/ü.luau')))?.kind, 'file');
    assert.equal((await world.files.stat(path('a/b/ü.luau')))?.size, 5);
    assert.equal((await world.files.stat(path('a/b')))?.kind, 'directory');
    assert.equal((await world.files.stat(path('')))?.kind, 'directory');
  });

  test(`${name}: reads a file with its stat, and nothing but files`, async () => {
    await using world = await create();
    await world.files.replace(path('a/b'), bytes('one'), absent);
    const read = await world.files.readWithStat(path('a/b'));
    assert.equal(Buffer.from(read.bytes).toString(), 'one');
    assert.deepEqual(read.stat, await world.files.stat(path('a/b')));
    await assert.rejects(world.files.readWithStat(path('a')), { code: 'EISDIR' });
    await assert.rejects(world.files.readWithStat(path('none')), { code: 'ENOENT' });
  });

  test(`${name}: lends the bytes of files, small and large, until they are used`, async () => {
    await using world = await create();
    const texts = ['', 'one', 'x'.repeat(100_000)];
    for (const [index, text] of texts.entries()) await world.files.replace(path(`a/${index}`), bytes(text), absent);
    const lent = await Promise.all(
      texts.map((_, index) =>
        world.files.readLent(path(`a/${index}`), async (content, stat) => {
          await new Promise(resolve => setImmediate(resolve));
          return { text: Buffer.from(content).toString(), stat };
        }),
      ),
    );
    assert.deepEqual(
      lent.map(({ text }) => text),
      texts,
    );
    assert.deepEqual(lent[1]?.stat, await world.files.stat(path('a/1')));
    const use = async (): Promise<void> => assert.fail('there is nothing to use');
    await assert.rejects(world.files.readLent(path('a'), use), { code: 'EISDIR' });
    await assert.rejects(world.files.readLent(path('none'), use), { code: 'ENOENT' });
    const failing = world.files.readLent(path('a/1'), async () => {
      throw new Error('used wrongly');
    });
    await assert.rejects(failing, /used wrongly/);
  });

  test(`${name}: replaces a file only while the precondition is true`, async () => {
    await using world = await create();
    await world.files.replace(path('a.luau'), bytes('one'), absent);
    await world.files.replace(path('a.luau'), bytes('two'), hashOf('one'));
    for (const precondition of [hashOf('one'), absent])
      await assert.rejects(world.files.replace(path('a.luau'), bytes('three'), precondition), { code: 'FILE_CHANGED' });
    await assert.rejects(world.files.replace(path('none.luau'), bytes('x'), hashOf('x')), { code: 'FILE_CHANGED' });
    assert.equal(await read(world.files, 'a.luau'), 'two');
    assert.deepEqual(await world.files.list(path('')), [{ name: 'a.luau', kind: 'file' }]);
  });

  test(`${name}: never writes over a folder`, async () => {
    await using world = await create();
    await world.files.replace(path('a/b.luau'), bytes('one'), absent);
    await assert.rejects(world.files.replace(path('a'), bytes('x'), absent), { code: 'FS_WRITE_FAILED' });
    assert.equal(await read(world.files, 'a/b.luau'), 'one');
  });

  test(`${name}: removes a file only while the precondition is true`, async () => {
    await using world = await create();
    await world.files.replace(path('a/b.luau'), bytes('one'), absent);
    await assert.rejects(world.files.remove(path('a/b.luau'), hashOf('two')), { code: 'FILE_CHANGED' });
    await assert.rejects(world.files.remove(path('a'), { kind: 'emptyFolder' }), { code: 'FILE_CHANGED' });
    await world.files.remove(path('a/b.luau'), hashOf('one'));
    await world.files.remove(path('a'), { kind: 'emptyFolder' });
    assert.equal(await world.files.stat(path('a')), undefined);
    await assert.rejects(world.files.remove(path('a/b.luau'), hashOf('one')), { code: 'FILE_CHANGED' });
    await assert.rejects(world.files.remove(path('a'), { kind: 'emptyFolder' }), { code: 'FILE_CHANGED' });
  });

  test(`${name}: rejects with ENOENT for a missing file, except that stat returns undefined`, async () => {
    await using world = await create();
    await assert.rejects(world.files.read(path('none')), { code: 'ENOENT' });
    await assert.rejects(world.files.list(path('none')), { code: 'ENOENT' });
    assert.equal(await world.files.stat(path('none')), undefined);
    assert.equal(await world.files.stat(path('none/deeper')), undefined);
  });

  test(`${name}: lists one level, in byte order`, async () => {
    await using world = await create();
    for (const file of ['b', 'a', 'B', '_', 'é', 'z/deep/er']) await world.files.replace(path(file), bytes(''), absent);
    const names = (await world.files.list(path(''))).map(entry => `${entry.name}:${entry.kind}`);
    assert.deepEqual(names, ['B:file', '_:file', 'a:file', 'b:file', 'z:directory', 'é:file']);
    assert.deepEqual(await world.files.list(path('z')), [{ name: 'deep', kind: 'directory' }]);
  });

  test(`${name}: neither reads nor writes Git data and secrets, whatever a project file says`, async () => {
    await using world = await create();
    const refused = { code: 'PATH_OUTSIDE_ROOT' };
    for (const secret of [
      '.git',
      '.git/config',
      'a/.GIT/hooks/x',
      '.git./config',
      'git~1/config',
      '.env',
      'src/.env.local',
      '.envrc',
    ]) {
      await assert.rejects(world.files.stat(path(secret)), refused, secret);
      await assert.rejects(world.files.read(path(secret)), refused, secret);
      await assert.rejects(world.files.list(path(secret)), refused, secret);
      await assert.rejects(world.files.replace(path(secret), bytes(''), absent), refused, secret);
      await assert.rejects(world.files.remove(path(secret), absent), refused, secret);
    }
    for (const allowed of ['.gitignore', '.env.luau', 'git/config', 'env'])
      await world.files.replace(path(allowed), bytes(''), absent);
  });

  test(`${name}: refuses paths outside the folder`, async () => {
    await using world = await create();
    for (const outside of ['..', '../x', 'a/../../x', '/etc/passwd', 'a//b', './a', 'a/', 'a\0b', 'a\\..\\b']) {
      const refused = { code: 'PATH_OUTSIDE_ROOT' };
      await assert.rejects(world.files.stat(path(outside)), refused, outside);
      await assert.rejects(world.files.read(path(outside)), refused, outside);
      await assert.rejects(world.files.list(path(outside)), refused, outside);
      await assert.rejects(world.files.replace(path(outside), bytes(''), absent), refused, outside);
      await assert.rejects(world.files.remove(path(outside), absent), refused, outside);
    }
  });
}
