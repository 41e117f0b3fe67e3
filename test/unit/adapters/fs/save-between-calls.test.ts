import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { createNodeFileSystem } from '../../../../src/adapters/fs/node-file-system.ts';
import { removeFile, replaceFile } from '../../../../src/adapters/fs/replace-file.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const { closeSync, existsSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } = fs;
const target = 'a.luau' as ProjectPath;

/** How editors save. */
const saves: Readonly<Record<string, (file: string, text: string) => void>> = {
  'in place': writeFileSync,
  'by renaming a new file over it': (file, text) => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  },
  'after moving it aside': (file, text) => {
    if (existsSync(file)) renameSync(file, `${file}~`);
    writeFileSync(file, text);
    rmSync(`${file}~`, { force: true });
  },
};

const isOld = async (at: string): Promise<boolean> => readFileSync(at, 'utf8') === 'old';
const replace = (file: string): Promise<unknown> => replaceFile(file, Buffer.from('new'), isOld);

const actions: Readonly<Record<string, (file: string) => Promise<unknown>>> = {
  replaced: replace,
  removed: file => removeFile(file, isOld),
};

/** Calls `before`, with the number and a description, ahead of every call that looks at a path or changes it, while `work` runs. */
async function withCalls(before: (call: number, what: string) => void, work: () => Promise<unknown>): Promise<void> {
  const hooked = [
    ...(['linkSync', 'lstatSync', 'renameSync', 'rmSync'] as const).map(name => [fs, name] as const),
    ...(['link', 'lstat', 'open', 'rename', 'rm', 'stat', 'unlink'] as const).map(name => [fs.promises, name] as const),
  ];
  const originals = hooked.map(([module, name]) => Reflect.get(module, name));
  let calls = 0;
  for (const [index, [module, name]] of hooked.entries())
    Reflect.set(module, name, (...args: readonly unknown[]) => {
      const paths = args.filter(arg => typeof arg === 'string').map(path => basename(path));
      before(calls++, `${name} ${paths.join(' ')}`);
      return Reflect.apply(originals[index], module, args);
    });
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    for (const [index, [module, name]] of hooked.entries()) Reflect.set(module, name, originals[index]);
    syncBuiltinESMExports();
  }
}

/** How many calls an action makes at most. */
const MAX_CALLS = 40;

for (const [action, act] of Object.entries(actions))
  for (const [how, save] of Object.entries(saves))
    test(`[P1] keeps what is saved ${how} before any call while a file is ${action}`, async () => {
      let isLater = true;
      for (let moment = 0; isLater; moment += 1) {
        assert.ok(moment < MAX_CALLS);
        await using folder = await tempFolder({ [target]: 'old' });
        const file = join(folder.path, target);
        let when = '';
        await withCalls(
          (call, what) => {
            if (call === moment) save(file, 'saved');
            if (call === moment) when = what;
          },
          () => act(file),
        );
        isLater = when !== '';
        if (isLater) assert.equal(readFileSync(file, 'utf8'), 'saved', when);
        if (isLater) assert.deepEqual(readdirSync(folder.path), [target], when);
      }
    });

/** All pairs of moments, the earlier one first. Ends each row of pairs when `run` resolves with false: there are no later moments. */
async function eachPair(run: (first: number, second: number) => Promise<boolean>): Promise<void> {
  for (let first = 0; first < MAX_CALLS; first += 1)
    for (let second = first + 1; await run(first, second); second += 1) assert.ok(second < MAX_CALLS);
}

for (const how of ['by renaming a new file over it', 'into the file that was open before'])
  test(`[P1] keeps the newer of two texts when the first is saved ${how}, and a file is replaced`, async () => {
    await eachPair(async (first, second) => {
      await using folder = await tempFolder({ [target]: 'old' });
      const file = join(folder.path, target);
      const opened = openSync(file, 'r+');
      const saveByRenaming = saves['by renaming a new file over it'];
      const at: string[] = [];
      await withCalls(
        (call, what) => {
          if (call !== first && call !== second) return;
          at.push(what);
          if (call === second) saveByRenaming?.(file, 'newer');
          else if (how in saves) saveByRenaming?.(file, 'saved');
          else writeSync(opened, 'saved');
        },
        () => replace(file),
      );
      closeSync(opened);
      if (at.length < 2) return false;
      assert.equal(readFileSync(file, 'utf8'), 'newer', at.join(', '));
      assert.deepEqual(readdirSync(folder.path), [target], at.join(', '));
      return true;
    });
  });

/** Calls after the replacement whose failure leaves it unverified: flushing its folder, and reading it back. */
const isVerifying = (what: string): boolean => what.startsWith('open ') && !what.includes('.tmp');

for (const [action, act] of Object.entries(actions))
  for (const code of ['EBUSY', 'ENOSPC'])
    test(`[P1] has the old file under its name when a call fails with ${code} and it is not ${action}`, async () => {
      for (let moment = 0; ; moment += 1) {
        assert.ok(moment < MAX_CALLS);
        await using folder = await tempFolder({ [target]: 'old' });
        const file = join(folder.path, target);
        let when = '';
        let isDone = false;
        const fail = (call: number, what: string): void => {
          if (call !== moment) return;
          when = what;
          throw Object.assign(new Error(code), { code });
        };
        await withCalls(fail, async () => {
          isDone = await act(file).then(Boolean, () => false);
        });
        if (when === '') return;
        const now = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
        const done = action === 'removed' ? undefined : 'new';
        assert.equal(now, isDone || isVerifying(when) ? done : 'old', when);
      }
    });

/** Saves before a hard link is tried, which fails then. */
const saveAndFailLink = (file: string, code: string) => (_call: number, what: string) => {
  const isLink = what.startsWith('link ');
  if (isLink) writeFileSync(file, 'saved');
  if (isLink || what.startsWith('unlink ')) throw Object.assign(new Error(code), { code });
};

test('[P1] keeps what is saved while a file that cannot be removed gets its name back on a full disk', async () => {
  await using folder = await tempFolder({ [target]: 'old' });
  const file = join(folder.path, target);
  await withCalls(saveAndFailLink(file, 'ENOSPC'), () => assert.rejects(removeFile(file, isOld), { code: 'ENOSPC' }));
  assert.equal(readFileSync(file, 'utf8'), 'saved');
  assert.deepEqual(readdirSync(folder.path), [target]);
});

test('[P1] keeps what is saved under the name of a new file on a disk without hard links', async () => {
  await using folder = await tempFolder({});
  const file = join(folder.path, target);
  await withCalls(saveAndFailLink(file, 'EPERM'), async () => {
    assert.equal(await replaceFile(file, Buffer.from('new'), undefined), 'changed');
  });
  assert.equal(readFileSync(file, 'utf8'), 'saved');
  assert.deepEqual(readdirSync(folder.path), [target]);
});

for (const [action, act] of Object.entries({
  replaced: (file: string, isExpected: () => Promise<boolean>) => replaceFile(file, Buffer.from('new'), isExpected),
  removed: removeFile,
}))
  test(`[P1] has the old file under its name when it cannot be read while it is ${action}`, async () => {
    for (const failing of [1, 2]) {
      await using folder = await tempFolder({ [target]: 'old' });
      const file = join(folder.path, target);
      let reads = 0;
      const isExpected = async (): Promise<boolean> => {
        reads += 1;
        if (reads === failing) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' });
        return true;
      };
      await assert.rejects(act(file, isExpected), { code: 'EMFILE' });
      assert.equal(readFileSync(file, 'utf8'), 'old');
      assert.deepEqual(readdirSync(folder.path), [target]);
    }
  });

test('[P1] keeps the text that an editor writes into an emptied file while it is replaced', async () => {
  await eachPair(async (first, second) => {
    await using folder = await tempFolder({ [target]: 'old' });
    const file = join(folder.path, target);
    let opened: number | undefined;
    let isWritten = false;
    await withCalls(
      call => {
        if (call === first) opened = openSync(file, 'w');
        if (call !== second || opened === undefined) return;
        writeSync(opened, 'saved');
        isWritten = true;
      },
      () => replace(file),
    );
    if (opened === undefined) return false;
    if (!isWritten) writeSync(opened, 'saved');
    closeSync(opened);
    assert.equal(readFileSync(file, 'utf8'), 'saved', `${first}, ${second}`);
    return isWritten;
  });
});

test('[P1] has the old or the new file after a crash before any call of a replacement', async () => {
  for (let moment = 0, isKilled = true; isKilled; moment += 1) {
    for (const repair of ['list', 'sweep'] as const) {
      await using folder = await tempFolder({ [target]: 'old' });
      const file = join(folder.path, target);
      let when = '';
      const killed = new Error('killed');
      const crash = (call: number, what: string): void => {
        if (call < moment) return;
        when ||= what;
        throw killed;
      };
      await withCalls(crash, () => replace(file)).catch((error: unknown) => assert.equal(error, killed));
      isKilled = when !== '';
      const files = createNodeFileSystem(folder.path, nodeHasher);
      if (repair === 'sweep') await files.sweep('' as ProjectPath);
      else
        assert.deepEqual(
          (await files.list('' as ProjectPath)).map(({ name }) => name),
          [target],
          when,
        );
      assert.ok(['old', 'new'].includes(readFileSync(file, 'utf8')), when);
      if (repair === 'sweep') assert.deepEqual(readdirSync(folder.path), [target], when);
    }
  }
});

test('finds a file in the moment in which it has no name because it is replaced', async t => {
  await using folder = await tempFolder({ [target]: 'old' });
  const files = createNodeFileSystem(folder.path, nodeHasher);
  // The file system looks at the file in this moment.
  const looks: (() => void)[] = [];
  const holdOnce = (module: object, name: string, path: string): void => {
    const original = Reflect.get(module, name);
    let isHeld = false;
    t.mock.method(module as Record<string, () => unknown>, name, (...args: readonly unknown[]) => {
      if (isHeld || basename(String(args[0])) !== path) return Reflect.apply(original, module, args);
      isHeld = true;
      return new Promise(resolve => looks.push(() => resolve(Reflect.apply(original, module, args))));
    });
  };
  holdOnce(fs.promises, 'lstat', target);
  holdOnce(fs, 'open', target);
  holdOnce(fs.promises, 'readdir', basename(folder.path));
  syncBuiltinESMExports();
  const found = Promise.all([files.stat(target), files.read(target), files.list('' as ProjectPath)]);
  try {
    while (looks.length < 3) await new Promise(setImmediate);
    await withCalls(
      (_call, what) => {
        if (!what.startsWith('linkSync')) return;
        assert.equal(existsSync(join(folder.path, target)), false);
        for (const look of looks.splice(0)) look();
        // Until other threads have looked.
        for (const until = performance.now() + 100; performance.now() < until;);
      },
      () => replace(join(folder.path, target)),
    );
  } finally {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  }
  const [stat, bytes, list] = await found;
  assert.equal(stat?.kind, 'file');
  assert.equal(String(bytes), 'new');
  assert.deepEqual(
    list.map(({ name }) => name),
    [target],
  );
});
