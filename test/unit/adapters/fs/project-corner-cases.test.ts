import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { createNodeFileSystem } from '../../../../src/adapters/fs/node-file-system.ts';
import { createNodeWatcher } from '../../../../src/adapters/fs/node-watcher.ts';
import { nodeClock } from '../../../../src/adapters/node/clock.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { nodeInflate } from '../../../../src/adapters/node/inflate.ts';
import { inProcessConverter } from '../../../../src/project/file-kinds/convert-data.ts';
import { nodeRandom } from '../../../../src/adapters/node/random.ts';
import type { FileProjectSession } from '../../../../src/project/session/file-project-session.ts';
import { openProjectSession } from '../../../../src/project/session/open-project-session.ts';
import { never, projectPath, strictLog } from '../../../harness/project-world.ts';
import { reflection } from '../../../harness/reflection.ts';

// The corner cases of project files that require a real disk.

interface OnDisk extends AsyncDisposable {
  readonly root: string;
  readonly session: FileProjectSession;
  names(path?: string): readonly string[];
  until(holds: () => boolean): Promise<void>;
}

async function onDisk(arrange: (root: string) => Promise<void>): Promise<OnDisk> {
  const root = await mkdtemp(join(tmpdir(), 'atlas-corner-'));
  await write(root, {
    'default.project.json': '{"tree": {"$className": "DataModel", "ReplicatedStorage": {"$path": "src"}}}',
    'src/.keep': '',
  });
  await arrange(root);
  const session = await openProjectSession(
    {
      files: createNodeFileSystem(root, nodeHasher),
      watcher: createNodeWatcher(root, strictLog),
      clock: nodeClock,
      random: nodeRandom,
      hasher: nodeHasher,
      inflate: nodeInflate,
      converter: inProcessConverter,
      reflection,
      log: strictLog,
    },
    never,
  );
  return {
    root,
    session,
    names: (path = 'src') =>
      session
        .idsAtPath(projectPath(path))
        .flatMap(id => session.get(id)?.children ?? [])
        .map(id => session.get(id)?.name ?? ''),
    async until(holds) {
      while (!holds())
        await new Promise<void>(resolve => {
          const heard = session.onDidChange(() => {
            heard[Symbol.dispose]();
            resolve();
          });
        });
    },
    async [Symbol.asyncDispose]() {
      session[Symbol.dispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function write(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

test('follows links inside the folder, and skips circular, outside and dangling ones', async () => {
  await using disk = await onDisk(async root => {
    await write(root, { 'shared/a.luau': 'a', 'one.luau': 'one' });
    await symlink('../shared', join(root, 'src/linked'));
    await symlink('../one.luau', join(root, 'src/file.luau'));
    await symlink('..', join(root, 'src/circle'));
    await symlink('gone.luau', join(root, 'src/broken.luau'));
    await symlink(tmpdir(), join(root, 'src/outside'));
  });
  assert.deepEqual(disk.names(), ['file', 'linked']);
  assert.deepEqual(disk.names('src/linked'), ['a']);
  assert.deepEqual(disk.session.diagnostics(), []);
});

test('syncs changes of the target of a link', { timeout: 30_000 }, async () => {
  await using disk = await onDisk(async root => {
    await write(root, { 'shared/deep/a.luau': 'a', 'one.luau': 'one' });
    await symlink('../shared', join(root, 'src/linked'));
    await symlink('../one.luau', join(root, 'src/file.luau'));
    await write(root, {
      'default.project.json':
        '{"tree": {"$className": "DataModel", "ReplicatedStorage": {"$path": "src"}, "Lighting": {"$path": "top"}}}',
    });
    await symlink('shared/deep', join(root, 'top'));
  });
  const [file] = disk.session.idsAtPath(projectPath('src/file.luau'));
  assert.ok(file);
  for (const text of ['two', 'three', 'four']) {
    await write(disk.root, { [`shared/deep/${text}.luau`]: '', 'one.luau': text });
    await disk.until(
      () =>
        disk.names('src/linked/deep').includes(text) &&
        disk.names('top').includes(text) &&
        disk.session.get(file)?.properties.get('Source')?.value === text,
    );
  }
});

test('skips pipes and names that are not UTF-8, and ignores a touch', { timeout: 30_000 }, async () => {
  await using disk = await onDisk(async root => {
    await write(root, { 'src/a.luau': 'a' });
    execFileSync('mkfifo', [join(root, 'src/pipe.luau')]);
    await writeFile(Buffer.concat([Buffer.from(join(root, 'src/')), Buffer.from([0xff]), Buffer.from('.luau')]), '');
    await writeFile(join(root, 'src/back\\slash.luau'), '');
  });
  assert.deepEqual(disk.names(), ['a']);
  assert.deepEqual(
    disk.session.diagnostics().map(({ file, severity }) => `${file} ${severity}`),
    ['src warning', 'src warning'],
  );
  const revision = disk.session.revision();
  await utimes(join(disk.root, 'src/a.luau'), new Date(), new Date());
  await disk.session.refresh(never);
  assert.equal(disk.session.revision(), revision);
});
