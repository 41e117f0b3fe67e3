import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ProjectPath } from '../../../src/base/brand.ts';
import type { SyncChange } from '../../../src/protocol/sync-result.ts';
import { nodeHasher } from '../../../src/adapters/node/hasher.ts';
import type { ReviewSurface } from '../../../src/ports/review-surface.ts';
import { type HeadlessWorld, startHeadlessWorld } from '../../harness/headless-world.ts';

const project = JSON.stringify({
  name: 'Game',
  tree: { $className: 'DataModel', ServerStorage: { $path: 'src' } },
});
const files = {
  'default.project.json': project,
  'src/A.luau': 'return "a"',
  'src/A.meta.json': '{"attributes": {"kept": true}}',
  'src/Dir/init.luau': 'return "dir"',
  'src/Dir/Child.luau': 'return "child"',
};

/** Applies every review. */
const agreeing: ReviewSurface = {
  async show(review) {
    review.apply(review.snapshot().revision);
  },
};

/** A world in which both sides are equal and have been compared. */
async function startEqual(): Promise<HeadlessWorld> {
  const world = await startHeadlessWorld(files, '', { reviewSurface: agreeing });
  assert.equal((await world.decide()).status, 'success');
  assert.equal((await world.sync({ mode: 'fastfail' })).status, 'empty');
  return world;
}

const rename = async ({ bridge: { disk } }: HeadlessWorld, from: string, to: string): Promise<void> => {
  const bytes = await disk.read(from as ProjectPath);
  await disk.replace(to as ProjectPath, bytes, { kind: 'absent' });
  await disk.remove(from as ProjectPath, { kind: 'hash', gitBlob: nodeHasher.gitBlob(bytes) });
};

const rewrite = async ({ bridge: { disk } }: HeadlessWorld, path: string, text: string): Promise<void> => {
  const before = nodeHasher.gitBlob(await disk.read(path as ProjectPath));
  await disk.replace(path as ProjectPath, Buffer.from(text), { kind: 'hash', gitBlob: before });
};

const named = (inStudio: string, onDisk: string): unknown => ({
  changedName: { current: { String: inStudio }, incoming: { String: onDisk } },
});

const briefly = ({ path, patchType, direction, defaultReason, properties }: SyncChange): unknown => ({
  path,
  patchType,
  direction,
  defaultReason,
  properties,
});

test('lists a rename in Studio as one change with changedName and renames the files', async () => {
  await using world = await startEqual();
  await world.lua(`game.ServerStorage.A.Name = "B"; game.ServerStorage.Dir.Name = "Moved"`);
  const dry = await world.sync();
  assert.deepEqual(dry.changes.map(briefly), [
    {
      path: 'ServerStorage/A',
      patchType: 'Edit',
      direction: 'pull',
      defaultReason: 'base_studio_moved',
      properties: named('B', 'A'),
    },
    {
      path: 'ServerStorage/Dir',
      patchType: 'Edit',
      direction: 'pull',
      defaultReason: 'base_studio_moved',
      properties: named('Moved', 'Dir'),
    },
  ]);
  const [a] = dry.changes;
  assert.ok(a);
  const refused = await world.sync({
    overrides: [{ id: a.id, direction: 'pull', expectedProperties: { changedName: 'C' } }],
  });
  assert.equal(refused.overrides[0]?.verdict, 'property_mismatch');
  const done = await world.sync({
    mode: 'fastfail',
    overrides: [{ id: a.id, direction: 'pull', expectedProperties: { changedName: 'B' } }],
  });
  assert.equal(done.status, 'success');
  assert.deepEqual(
    world.bridge.disk.paths().filter(path => path.startsWith('src/')),
    ['src/B.luau', 'src/B.meta.json', 'src/Moved/Child.luau', 'src/Moved/init.luau'],
  );
  assert.equal((await world.sync({ mode: 'fastfail' })).status, 'empty');
  await world.lua(`game.ServerStorage.Moved.Child.Source = "return 'later'"`);
  assert.equal((await world.sync()).changes[0]?.defaultReason, 'base_studio_moved');
});

test('shows a rename as one row of the review, with both names, the file and its new name', async () => {
  const shown: unknown[] = [];
  const surface: ReviewSurface = {
    async show(review) {
      for (const { path, patchType, fsPath, newFile, properties } of review.snapshot().rows)
        shown.push({ path, patchType, fsPath, newFile, name: properties['Name'] });
      review.reject(review.snapshot().revision);
    },
  };
  await using world = await startHeadlessWorld(files, '', { reviewSurface: surface });
  const overrides = (await world.sync()).changes.map(({ id }) => ({ id, direction: 'push' as const }));
  assert.equal((await world.sync({ mode: 'fastfail', overrides })).status, 'success');
  await world.lua(`game.ServerStorage.A.Name = "B"`);
  assert.equal((await world.sync({ mode: 'manual' })).status, 'rejected');
  assert.deepEqual(shown, [
    {
      path: 'ServerStorage/A',
      patchType: 'Edit',
      fsPath: 'src/A.luau',
      newFile: 'src/B.luau',
      name: { current: { String: 'B' }, incoming: { String: 'A' } },
    },
  ]);
});

test('pushes a rename on disk into the same instance, and restores the old name', async () => {
  await using world = await startEqual();
  await world.lua(
    `local only = Instance.new("Folder"); only.Name = "OnlyStudio"; only.Archivable = false; only.Parent = game.ServerStorage.A`,
  );
  await rename(world, 'src/A.luau', 'src/B.luau');
  await rename(world, 'src/A.meta.json', 'src/B.meta.json');
  const done = await world.sync({ mode: 'fastfail' });
  assert.deepEqual(done.changes.map(briefly), [
    {
      path: 'ServerStorage/B',
      patchType: 'Edit',
      direction: 'push',
      defaultReason: 'base_disk_moved',
      properties: named('A', 'B'),
    },
  ]);
  assert.equal(done.status, 'success');
  assert.deepEqual(await world.lua(`return game.ServerStorage.B:FindFirstChild("OnlyStudio") ~= nil`), [true]);
  assert.equal((await world.sync({ mode: 'fastfail' })).status, 'empty');
  const restored = await world.sync({ mode: 'manual', restore: { runId: done.runId, side: 'studio' } });
  assert.deepEqual([restored.status, restored.changes.map(({ patchType }) => patchType)], ['success', ['Edit']]);
  assert.deepEqual(await world.lua(`return game.ServerStorage.A:FindFirstChild("OnlyStudio") ~= nil`), [true]);
});

test('restores files that a sync renamed, each as one change', async () => {
  const shown: unknown[] = [];
  const surface: ReviewSurface = {
    async show(review) {
      for (const { path, patchType, newFile, hasSource, properties } of review.snapshot().rows)
        shown.push({ path, patchType, newFile, hasSource, name: properties['Name'] });
      review.apply(review.snapshot().revision);
    },
  };
  await using world = await startHeadlessWorld(files, '', { reviewSurface: surface });
  assert.equal((await world.decide()).status, 'success');
  await world.lua(`game.ServerStorage.A.Name = "B"`);
  const { runId } = await world.sync({ mode: 'fastfail' });
  await rewrite(world, 'src/B.luau', 'return "later"');
  const restored = await world.sync({ mode: 'manual', restore: { runId, side: 'disk' } });
  assert.equal(restored.status, 'success', JSON.stringify(restored, null, 1));
  const name = (was: string, now: string): unknown => ({ current: { String: was }, incoming: { String: now } });
  assert.deepEqual(shown, [
    {
      path: 'src/B.luau',
      patchType: 'Edit',
      newFile: 'src/A.luau',
      hasSource: true,
      name: name('A.luau', 'B.luau'),
    },
    {
      path: 'src/B.meta.json',
      patchType: 'Edit',
      newFile: 'src/A.meta.json',
      hasSource: false,
      name: name('A.meta.json', 'B.meta.json'),
    },
  ]);
  const { disk } = world.bridge;
  assert.deepEqual(
    disk.paths().filter(path => /^src\/[AB]\./.test(path)),
    ['src/A.luau', 'src/A.meta.json'],
  );
  assert.equal(new TextDecoder().decode(await disk.read('src/A.luau' as ProjectPath)), 'return "a"');
});

test('asks about a rename on both sides', async () => {
  await using world = await startEqual();
  await rename(world, 'src/Dir/Child.luau', 'src/Dir/OnDisk.luau');
  await world.lua(`game.ServerStorage.Dir.Child.Name = "InStudio"`);
  const [change] = (await world.sync()).changes;
  assert.equal(change?.direction, 'unresolved');
  assert.deepEqual(change.properties, named('InStudio', 'OnDisk'));
});

test('merges a rename of one side with an edit of the other', async () => {
  await using world = await startEqual();
  await world.lua(`game.ServerStorage.A.Name = "B"`);
  await world.bridge.disk.replace('src/A.luau' as ProjectPath, new TextEncoder().encode('return "edited"'), {
    kind: 'hash',
    gitBlob: nodeHasher.gitBlob(new TextEncoder().encode('return "a"')),
  });
  const [change] = (await world.sync()).changes;
  assert.equal(change?.defaultReason, 'base_merged');
  const { id, studioHash, diskHash } = change;
  const done = await world.sync({
    mode: 'fastfail',
    overrides: [{ id, direction: 'merge', ...(studioHash && { studioHash }), ...(diskHash && { diskHash }) }],
  });
  assert.equal(done.status, 'success', JSON.stringify(done));
  assert.equal(new TextDecoder().decode(await world.bridge.disk.read('src/B.luau' as ProjectPath)), 'return "edited"');
  assert.deepEqual(await world.lua(`return game.ServerStorage.B.Source`), ['return "edited"']);
  assert.equal((await world.sync({ mode: 'fastfail' })).status, 'empty');
});

test('keeps a text that an editor saves in the moment in which its file is renamed', async () => {
  await using world = await startEqual();
  const { disk } = world.bridge;
  await world.lua(`game.ServerStorage.A.Name = "B"`);
  const remove = disk.remove.bind(disk);
  disk.remove = async (path, precondition) => {
    if (path === 'src/A.luau') disk.set(path, 'return "saved"');
    await remove(path, precondition);
  };
  const { status, changes } = await world.sync({ mode: 'fastfail' });
  assert.deepEqual([status, changes[0]?.outcome], ['partial', 'failed']);
  assert.match(changes[0]?.reason ?? '', /A\.luau.*already written: src\/B\.luau/);
  assert.equal(disk.text('src/A.luau'), 'return "saved"');
  assert.equal(disk.text('src/B.luau'), 'return "a"');
});

const names = ['A', 'B', 'C', 'D', 'E'] as const;
const step = fc.record({
  side: fc.constantFrom('disk', 'studio'),
  what: fc.constantFrom('rename', 'edit'),
  from: fc.nat(2),
  to: fc.constantFrom(...names, 'x:y'),
  wins: fc.constantFrom('push', 'pull'),
});

test('random renames with edits on both sides converge and lose no text', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
      async rounds => {
        await using world = await startHeadlessWorld({
          'default.project.json': project,
          'src/A.luau': 'return "0a"',
          'src/B/init.luau': 'return "0b"',
          'src/B/Inside.luau': 'return "inside"',
          'src/C.luau': 'return "0c"',
        });
        const { disk, journal } = world.bridge;
        assert.equal((await world.decide()).status, 'success');
        let edits = 0;
        const written = new Set<string>(['return "0a"', 'return "0b"', 'return "0c"', 'return "inside"']);
        for (const steps of rounds) {
          // A side may replace what it wrote itself since the last sync: no sync has seen that text.
          const fresh = new Set<string>();
          const replace = (before: string, after: string): void => {
            if (before === after) return;
            if (fresh.has(before)) written.delete(before);
            fresh.add(after);
            written.add(after);
          };
          for (const { side, what, from, to } of steps) {
            const text = `return "${(edits += 1)}"`;
            if (side === 'studio') {
              const made = await world.lua(
                `local all = game.ServerStorage:GetChildren(); local one = all[${from} % #all + 1] local before = one.Source
              ${what === 'edit' ? `one.Source = '${text}'` : `if not game.ServerStorage:FindFirstChild("${to}") then one.Name = "${to}" end`}
              return before, one.Source`,
              );
              replace(String(made[0]), String(made[1]));
            } else {
              const scripts = disk.paths().filter(path => /^src\/[^/]+(?:\/init)?\.luau$/.test(path));
              const path = scripts[from % scripts.length];
              if (path === undefined) continue;
              if (what === 'edit') {
                const before = await disk.read(path as ProjectPath);
                await disk.replace(path as ProjectPath, new TextEncoder().encode(text), {
                  kind: 'hash',
                  gitBlob: nodeHasher.gitBlob(before),
                });
                replace(new TextDecoder().decode(before), text);
              } else if (
                to !== 'x:y' &&
                !scripts.some(other => other === `src/${to}.luau` || other === `src/${to}/init.luau`)
              ) {
                const old = path.replace(/(?:\/init)?\.luau$/, '');
                for (const each of disk.paths().filter(each => each === path || each.startsWith(`${old}/`)))
                  await rename(world, each, each.replace(old, `src/${to}`));
                await disk.remove(old as ProjectPath, { kind: 'emptyFolder' }).catch(() => undefined);
              }
            }
          }
          const wins = new Map(steps.map(({ wins }, index) => [index, wins]));
          const dry = await world.sync();
          const overrides = dry.changes.map(
            ({ id }, index) => ({ id, direction: wins.get(index % steps.length) ?? 'push' }) as const,
          );
          const done = await world.sync({ mode: 'fastfail', overrides });
          if (done.status !== 'success' && done.status !== 'empty') {
            // No file can have the name `x:y` here: then Studio gets the name of the file.
            for (let tries = 0; tries < 4; tries += 1) {
              const again = await world.sync();
              if (again.changes.length === 0) break;
              await world.sync({
                mode: 'fastfail',
                overrides: again.changes.map(
                  ({ id, patchType }) => ({ id, direction: patchType === 'Remove' ? 'pull' : 'push' }) as const,
                ),
              });
            }
          }
          assert.deepEqual((await world.sync()).changes, [], JSON.stringify(done));
        }
        const now = [
          ...(await Promise.all(disk.paths().map(path => disk.read(path as ProjectPath)))).map(bytes =>
            new TextDecoder().decode(bytes),
          ),
          ...(
            await world.lua(
              `local all = {} for _, one in game.ServerStorage:GetDescendants() do table.insert(all, one.Source) end return table.concat(all, "\\n")`,
            )
          ).map(String),
          await recordedTexts(journal),
        ].join('\n');
        for (const text of written) assert.ok(now.includes(text), `lost ${text}`);
      },
    ),
    { numRuns: 4, endOnFailure: true },
  );
});

async function recordedTexts(journal: HeadlessWorld['bridge']['journal']): Promise<string> {
  const texts: string[] = [];
  for (const { runId, record } of await journal.list(100)) {
    texts.push(JSON.stringify(record).replaceAll('\\"', '"'));
    for (const item of (record as { items: { files: { blob: string | null }[] }[] }).items)
      for (const { blob } of item.files)
        if (blob !== null) texts.push(new TextDecoder().decode(await journal.readBlob(runId, blob)));
  }
  return texts.join('\n');
}
