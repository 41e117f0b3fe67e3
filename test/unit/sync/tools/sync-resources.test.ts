import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import { affects } from '../../../../src/mcp/resource.ts';
import { createSyncResources } from '../../../../src/sync/tools/sync-resources.ts';
import { syncWorld, type WorldParts } from '../../../harness/sync-world.ts';

const COUNT = 400;
const names = Array.from({ length: COUNT }, (_, index) => `Script${String(index).padStart(3, '0')}`);
const many: WorldParts = {
  git: 'none',
  files: Object.fromEntries(names.map(name => [`src/${name}.luau`, 'return 1\n'])),
  place: Object.fromEntries(
    names.map(name => [`ServerScriptService/${name}`, { className: 'ModuleScript', source: 'return 2\n' }]),
  ),
};

type Page = Record<string, unknown> & { readonly total: number; readonly next?: string };

async function open(parts: WorldParts) {
  const world = await syncWorld(parts);
  const resources = createSyncResources({
    engine: world.engine,
    session: () => world.session,
    onDidOpenSession: new Emitter<never>().event,
    clock: world.clock,
    card: undefined,
  });
  const read = async (uri: string): Promise<Page> => {
    const found = await resources.read(uri, new AbortController().signal);
    assert.ok(found, uri);
    assert.ok(Buffer.byteLength(found.text) <= 20_000, `${found.text.length} characters`);
    return JSON.parse(found.text) as Page;
  };
  /** The entries of all pages. */
  const readAll = async (uri: string, name: string): Promise<Record<string, unknown>[]> => {
    const entries: Record<string, unknown>[] = [];
    for (let next: string | undefined = uri; next !== undefined;) {
      const page = await read(next);
      entries.push(...(page[name] as Record<string, unknown>[]));
      assert.equal(page.total, COUNT);
      next = page.next;
    }
    return entries;
  };
  return { world, read, readAll };
}

test('lists changes, scripts and a recorded sync in pages, each entry once', async () => {
  const { world, readAll } = await open(many);
  await world.sync({ mode: 'dryrun' });
  const changes = await readAll('atlas://changes', 'changes');
  assert.equal(new Set(changes.map(({ id }) => id)).size, COUNT);
  const scripts = await readAll('atlas://scripts', 'scripts');
  assert.equal(new Set(scripts.map(({ fsPath }) => fsPath)).size, COUNT);
  const overrides = changes.map(({ id }) => ({ id: String(id), direction: 'push' as const }));
  const { runId, status } = await world.sync({ mode: 'fastfail', overrides });
  assert.equal(status, 'success');
  const recorded = await readAll(`atlas://runs/${runId}`, 'changes');
  assert.equal(new Set(recorded.map(({ id }) => id)).size, COUNT);
});

test('lists undecided changes first, with reasons as text', async () => {
  const parts = { ...many, files: { ...many.files, 'src/New.luau': 'return 3\n' } };
  const { world, read } = await open({ ...parts, git: { untracked: ['src/New.luau'] } });
  const [change] = (await world.sync({ mode: 'dryrun' })).changes;
  const stale = { id: change?.id ?? '', direction: 'push' as const, diskHash: 'other' };
  await world.sync({ mode: 'fastfail', overrides: [stale] });
  const { changes } = (await read('atlas://changes')) as unknown as { changes: Record<string, unknown>[] };
  assert.equal(changes[0]?.['direction'], 'unresolved');
  assert.match(
    String(changes.find(({ id }) => id === stale.id)?.['reason']),
    /^it changed on disk; its diskHash is now/,
  );
});

test('notifies subscribers of every page of a list', () => {
  assert.ok(affects('atlas://changes', 'atlas://changes?from=40'));
  assert.ok(!affects('atlas://changes', 'atlas://changesets'));
});
