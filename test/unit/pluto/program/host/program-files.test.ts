import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createIgnoredFiles } from '../../../../../src/pluto/program/host/ignored-files.ts';
import { createProgramFiles } from '../../../../../src/pluto/program/host/program-files.ts';
import type { ProgramFiles } from '../../../../../src/pluto/ports/program-host.ts';
import { tempFolder } from '../../../../harness/temp-folder.ts';

const write = (files: ProgramFiles, path: string, bytes: string): void => {
  const file = files.open(path, 'write');
  files.write(file, bytes);
  files.close(file);
};

test('writes, reads, seeks and appends', async () => {
  await using project = await tempFolder();
  const files = createProgramFiles(
    { folder: project.path, temporary: project.path, isUnlimited: false },
    createIgnoredFiles,
  );
  files.makeFolder('out');
  write(files, 'out/a.txt', 'hello \u00c3\u00a9');
  const added = files.open('out/a.txt', 'append');
  files.write(added, '!');
  files.close(added);
  assert.equal(await readFile(join(project.path, 'out/a.txt'), 'utf8'), 'hello é!');
  const file = files.open('out/a.txt', 'read');
  assert.deepEqual(
    [files.read(file, 5), files.seek(file, 1, 'here'), files.read(file, 99)],
    ['hello', 6, '\u00c3\u00a9!'],
  );
  assert.deepEqual([files.seek(file, -1, 'end'), files.read(file, 9), files.read(file, 9)], [8, '!', '']);
  assert.throws(() => files.seek(file, -1, 'start'), /before the start/);
  files.close(file);
  assert.throws(() => files.read(file, 1), /is not open/);
  assert.deepEqual([files.kind('out'), files.kind('out/a.txt'), files.kind('none')], ['folder', 'file', undefined]);
  assert.equal(files.size('out/a.txt'), 9);
  files.copy('out/a.txt', 'out/b.txt');
  files.rename('out/b.txt', 'out/c.txt');
  assert.deepEqual(files.list('out').toSorted(), ['a.txt', 'c.txt']);
  files.remove('out/a.txt');
  files.remove('out/c.txt');
  files.removeFolder('out');
  assert.equal(files.kind('out'), undefined);
});

test('denies access outside the project and the temporary folder, also through links', async () => {
  await using outside = await tempFolder({ 'secret.txt': 'secret' });
  await using project = await tempFolder({ 'in.txt': 'in' });
  await symlink(outside.path, join(project.path, 'way'));
  await symlink(join(outside.path, 'new.txt'), join(project.path, 'later'));
  const files = createProgramFiles(
    { folder: project.path, temporary: project.path, isUnlimited: false },
    createIgnoredFiles,
  );
  const ways = [`${outside.path}/secret.txt`, '../x.txt', 'way/secret.txt', 'way/new.txt', 'later', '/etc/hostname'];
  for (const path of ways) {
    assert.throws(() => files.open(path, 'read'), /only access files|cannot be reached/, path);
    assert.throws(() => files.open(path, 'write'), /only access files|cannot be reached/, path);
    assert.throws(() => files.kind(path), /only access files|cannot be reached/, path);
    assert.throws(() => files.copy('in.txt', path), /only access files|cannot be reached/, path);
  }
  const free = createProgramFiles({ folder: project.path, temporary: project.path, isUnlimited: true }, undefined);
  assert.equal(free.size(`${outside.path}/secret.txt`), 6, 'a program of a person has the rights of the person');
});

test('refuses every file to a limited program without ignore rules', async () => {
  await using project = await tempFolder({ 'a.txt': 'a' });
  const files = createProgramFiles({ folder: project.path, temporary: project.path, isUnlimited: false }, undefined);
  assert.throws(() => files.open('a.txt', 'read'), /cannot access/);
});

test('denies writes to modules, the manifest, ignore rules and git', async () => {
  await using project = await tempFolder({
    'a.pluto': 'fn f() {}',
    'pluto.toml': '',
    '.git/HEAD': 'x',
    '.gitignore': 'private.txt',
    'private.txt': '2',
    'data.txt': '1',
  });
  await mkdir(join(project.path, 'lib'));
  const files = createProgramFiles(
    { folder: project.path, temporary: project.path, isUnlimited: false },
    createIgnoredFiles,
  );
  assert.equal(files.size('a.pluto'), 9);
  const denied = /cannot (?:change Pluto modules|access secrets)/;
  // Some are different names on this system, but not on other systems.
  const elsewhere = ['.GIT/hooks', '.git./hooks', 'lib/.Git', 'Pluto.toml', 'a.pluto.', 'a.pluto ', 'a.pluto::$DATA'];
  // A program that changes the rules would let the next one read ignored files.
  const rules = ['.gitignore', 'lib/.gitignore', '.GitIgnore', '.gitignore.'];
  for (const path of ['a.pluto', 'lib/new.PT', 'pluto.toml', '.git/HEAD', ...rules, ...elsewhere]) {
    assert.throws(() => files.open(path, 'write'), denied, path);
    assert.throws(() => files.rename('data.txt', path), denied, path);
  }
  for (const path of ['a.pluto', '.gitignore']) assert.throws(() => files.remove(path), /cannot change/);
  assert.throws(() => files.rename('lib', 'other'), /cannot rename folders/);
});

test('[P4] denies access below a folder whose ignore rules cannot be read', async () => {
  await using project = await tempFolder({
    'large/.gitignore': `#${' '.repeat(1024 * 1024)}\nprivate.txt`,
    'large/private.txt': '1',
    'looped/private.txt': '2',
    'plain/open.txt': '3',
  });
  await symlink('.gitignore', join(project.path, 'looped/.gitignore'));
  const files = createProgramFiles(
    { folder: project.path, temporary: project.path, isUnlimited: false },
    createIgnoredFiles,
  );
  assert.throws(() => files.open('large/private.txt', 'read'), /cannot access secrets/);
  assert.throws(() => files.open('looped/private.txt', 'read'), /cannot access secrets/);
  files.close(files.open('plain/open.txt', 'read'));
});

test('[P4] denies access to secrets, Git data and ignored files', async () => {
  await using repository = await tempFolder({
    '.git/config': 'secret',
    '.gitignore': 'private/\n*.key\n!public.key\n',
    'game/.env': 'secret',
    'game/.env.local': 'secret',
    'game/.envrc': 'secret',
    'game/.gitignore': 'build',
    'game/private/a.txt': 'secret',
    'game/lib/build/a.txt': 'secret',
    'game/a.key': 'secret',
    'game/public.key': 'public',
    'game/.github/a.txt': 'public',
    'game/environment.txt': 'public',
  });
  const folder = join(repository.path, 'game');
  await symlink('.env', join(folder, 'link.txt'));
  await mkdir(join(folder, 'lib/.git'));
  const files = createProgramFiles({ folder, temporary: folder, isUnlimited: false }, createIgnoredFiles);
  const secrets = [
    '.env',
    '.ENV',
    '.env.local',
    '.envrc',
    'lib/.git',
    'private/a.txt',
    'lib/build/a.txt',
    'lib/build',
    'a.key',
    'link.txt',
  ];
  for (const path of secrets) {
    for (const access of [
      () => files.open(path, 'read'),
      () => files.open(path, 'write'),
      () => files.copy(path, 'copy.txt'),
      () => files.copy('environment.txt', path),
      () => files.size(path),
      () => files.kind(path),
      () => files.list(path),
    ])
      assert.throws(access, /cannot access secrets/, path);
  }
  assert.equal(files.size('public.key'), 6);
  assert.equal(files.size('environment.txt'), 6);
  assert.deepEqual(files.list('.').toSorted(), [
    '.github',
    '.gitignore',
    'environment.txt',
    'lib',
    'link.txt',
    'public.key',
  ]);
});

/** Milliseconds after which a process hangs, also on a busy machine. */
const MAX_START_MS = 30_000;

test('opens regular files only', { skip: process.platform === 'win32' && 'Windows has no mkfifo' }, async () => {
  await using project = await tempFolder();
  const folder = project.path;
  execFileSync('mkfifo', [join(folder, 'fifo')]);
  // In another process, which can be ended: opening a FIFO waits for the other side.
  const source = (path: string): string =>
    JSON.stringify(new URL(`../../../../../src/pluto/program/host/${path}`, import.meta.url));
  const script = `
      import { createIgnoredFiles } from ${source('ignored-files.ts')};
      import { createProgramFiles } from ${source('program-files.ts')};
      const reach = { folder: process.argv[1], temporary: process.argv[1], isUnlimited: false };
      const files = createProgramFiles(reach, createIgnoredFiles);
      for (const access of ['read', 'write', 'append', 'copy'])
        try {
          if (access === 'copy') files.copy('fifo', 'copy.txt');
          else files.open('fifo', access);
          console.log(access, 'is possible');
        } catch (error) {
          console.log(access, error.message);
        }`;
  const args = ['--input-type=module', '-e', script, folder];
  const ran = spawnSync(process.execPath, args, { timeout: MAX_START_MS, killSignal: 'SIGKILL', encoding: 'utf8' });
  const answers = ran.stdout.trim().split('\n');
  assert.equal(ran.error, undefined, `waits for the other side after: ${answers.join()}`);
  assert.equal(answers.length, 4, ran.stderr);
  for (const answer of answers) assert.match(answer, /not a regular file|ENXIO/);
});

test('reads large files in small strings', async () => {
  await using project = await tempFolder({ 'large.txt': 'x'.repeat(3_000_000) });
  const files = createProgramFiles(
    { folder: project.path, temporary: project.path, isUnlimited: false },
    createIgnoredFiles,
  );
  const file = files.open('large.txt', 'read');
  const before = process.memoryUsage().external;
  const parts = Array.from({ length: 100 }, () => (files.seek(file, 0, 'start'), files.read(file, 5_000_000)));
  assert.ok(parts.every(({ length }) => length === 3_000_000));
  assert.ok(process.memoryUsage().external - before < 50_000_000);
});
