import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { ProjectPath } from '../../src/base/brand.ts';
import { isAtOrBelow } from '../../src/base/project-path.ts';
import type { FileWatcher } from '../../src/ports/file-watcher.ts';

/** A folder that another program changes, and its watcher. */
export interface WatchedFolder extends AsyncDisposable {
  readonly watcher: FileWatcher;
  /** Creates missing folders. */
  write(path: string, text: string): Promise<void>;
  delete(path: string): Promise<void>;
}

/** The contract of every `FileWatcher`: each change is followed by a hint at the path or at a folder above it. */
export function fileWatcherContract(name: string, create: () => Promise<WatchedFolder>): void {
  async function watching(
    world: WatchedFolder,
    act: (hinted: (path: string) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const hints: ProjectPath[] = [];
    let wake: () => void = () => undefined;
    using _watch = world.watcher.watch(path => {
      hints.push(path);
      wake();
    });
    await act(async path => {
      while (!hints.some(hint => isAtOrBelow(path, hint))) await new Promise<void>(resolve => (wake = resolve));
      hints.length = 0;
    });
  }

  test(`${name}: hints at a file that is created, changed or removed`, { timeout: 20_000 }, async () => {
    await using world = await create();
    await world.write('src/a.luau', 'one');
    await watching(world, async hinted => {
      await world.write('src/b.luau', 'new');
      await hinted('src/b.luau');
      await world.write('src/a.luau', 'two');
      await hinted('src/a.luau');
      await world.delete('src/a.luau');
      await hinted('src/a.luau');
    });
  });

  test(`${name}: hints at files in new folders, also in recreated ones`, { timeout: 20_000 }, async () => {
    await using world = await create();
    await world.write('src/a.luau', 'one');
    await watching(world, async hinted => {
      for (const text of ['one', 'two']) {
        // Hints at the creation of the folders are hints at the file too, but only few.
        for (let edit = 0; edit < 10; edit += 1) {
          await world.write('src/new/deep/b.luau', `${text} ${edit}`);
          await hinted('src/new/deep/b.luau');
        }
        await world.delete('src/new');
        await hinted('src/new');
      }
    });
  });

  test(`${name}: is silent once disposed`, async () => {
    await using world = await create();
    let hints = 0;
    world.watcher.watch(() => (hints += 1))[Symbol.dispose]();
    const before = hints;
    await world.write('a.luau', 'one');
    await new Promise(resolve => setImmediate(resolve));
    assert.equal(hints, before);
  });
}
