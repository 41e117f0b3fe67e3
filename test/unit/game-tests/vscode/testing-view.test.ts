import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import { FakeTestController, shownTests } from '../../../harness/fake-test-items.ts';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { settle } from '../../../harness/settle.ts';

const uri = (path: string): object => ({ path, toString: () => `file://${path}` });
const shop = uri('/game/Shop.spec.luau');
const pets = uri('/game/Pets.spec.luau');
const watchers: Record<'create' | 'change' | 'delete', (file: object) => void>[] = [];
/** The listings and reads that wait for their answer. */
const listings: PromiseWithResolvers<readonly object[]>[] = [];
const reads: PromiseWithResolvers<Uint8Array>[] = [];
let controller = new FakeTestController();
const wait = <T>(waiting: PromiseWithResolvers<T>[]): Promise<T> => {
  const one = Promise.withResolvers<T>();
  waiting.push(one);
  return one.promise;
};
const fake = {
  l10n: { t: (text: string) => text },
  RelativePattern: class {},
  Range: class {},
  TestRunProfileKind: { Run: 1 },
  tests: { createTestController: () => (controller = new FakeTestController()) },
  workspace: {
    findFiles: () => wait(listings),
    fs: { readFile: () => wait(reads) },
    createFileSystemWatcher() {
      const none = (): void => undefined;
      const watcher = { create: none, change: none, delete: none };
      watchers.push(watcher);
      const on = (event: keyof typeof watcher) => (listener: () => void) => {
        watcher[event] = listener;
        return { dispose: none };
      };
      return { onDidCreate: on('create'), onDidChange: on('change'), onDidDelete: on('delete'), dispose: none };
    },
  },
};
installFakeVsCode(fake);
const { registerTestingView } = await import('../../../../src/game-tests/vscode/testing-view.ts');

const game = uri('/game');
let folder: object | undefined = game;
const folderChanged = new Emitter<void>();

const source = (name: string): Uint8Array => new TextEncoder().encode(`it("${name}", function() end)`);
const register = (): Disposable => {
  for (const list of [watchers, listings, reads]) list.length = 0;
  return registerTestingView({
    projectFolder: () => folder,
    onDidChangeFolder: folderChanged.event,
    log: memoryLog(),
  } as unknown as Parameters<typeof registerTestingView>[0]);
};

test('ignores a listing that ends after a newer one', async () => {
  using _ = register();
  watchers[0]?.create(pets);
  const [older, newer] = listings;
  newer?.resolve([shop, pets]);
  await settle();
  older?.resolve([shop]);
  await settle();
  assert.deepEqual(shownTests(controller.items), ['Pets.spec.luau', 'Shop.spec.luau']);
});

test('ignores an earlier content of a file that is read after a newer one', async () => {
  using _ = register();
  listings[0]?.resolve([shop]);
  await settle();
  watchers[0]?.change(shop);
  const [older, newer] = reads;
  newer?.resolve(source('sells'));
  await settle();
  older?.resolve(source('buys'));
  await settle();
  assert.deepEqual(shownTests(controller.items), ['Shop.spec.luau > sells']);
});

test('[P6] lists the files again when another folder is served, and not when its bridge restarts', async () => {
  using _ = register();
  after(() => (folder = game));
  assert.equal(listings.length, 1);
  folderChanged.fire();
  folderChanged.fire();
  assert.equal(listings.length, 1);
  folder = uri('/other');
  folderChanged.fire();
  assert.equal(listings.length, 2);
  folder = undefined;
  folderChanged.fire();
  folder = game;
  folderChanged.fire();
  assert.equal(listings.length, 3);
});
