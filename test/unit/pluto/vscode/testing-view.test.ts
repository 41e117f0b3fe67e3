import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeTestController, shownTests } from '../../../harness/fake-test-items.ts';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { settle } from '../../../harness/settle.ts';

const uri = (path: string): object => ({ path, toString: () => `file://${path}` });
const controller = new FakeTestController();
const fake = {
  l10n: { t: (text: string) => text },
  Range: class {},
  TestRunProfileKind: { Run: 1 },
  tests: { createTestController: () => controller },
  workspace: { textDocuments: [] },
};
installFakeVsCode(fake);
const { registerPlutoTesting } = await import('../../../../src/pluto/vscode/testing-view.ts');

test('ignores a listing of a folder that ends after a newer one', async () => {
  const listings: PromiseWithResolvers<readonly object[]>[] = [];
  const language = {
    folder: uri('/game'),
    uriOf: (file: string) => uri(`/game/${file}`),
    ask() {
      const listing = Promise.withResolvers<readonly object[]>();
      listings.push(listing);
      return listing.promise;
    },
  };
  using view = registerPlutoTesting({
    languages: () => [language],
    log: memoryLog(),
  } as unknown as Parameters<typeof registerPlutoTesting>[0]);
  void controller.resolveHandler?.();
  view.refresh(language as unknown as Parameters<typeof view.refresh>[0]);
  const [older, newer] = listings;
  const found = (name: string): object => {
    const place = { line: 0, character: 0 };
    return { name, file: 'Shop.pluto', range: { start: place, end: place } };
  };
  newer?.resolve([found('sells')]);
  await settle();
  older?.resolve([found('buys')]);
  await settle();
  assert.deepEqual(shownTests(controller.items), ['Shop.pluto > sells']);
});
