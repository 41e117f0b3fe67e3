import { formatResult } from '../../../../src/protocol/run-result.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JournalRecord } from '../../../../src/protocol/journal/journal-record.ts';
import type { StudioCommand, StudioInstance } from '../../../../src/protocol/studio/stream.ts';
import type { Direction, SyncOverride } from '../../../../src/protocol/sync-request.ts';
import type { SyncResult } from '../../../../src/protocol/sync-result.ts';
import type { FakeStudio } from '../../../harness/fake-studio.ts';
import { settle } from '../../../harness/settle.ts';
import { syncWorld, type SyncWorld } from '../../../harness/sync-world.ts';

/** One change of each kind: the text on disk, the text in Studio, and the decision. */
const scripts: Readonly<Record<string, { disk?: string; studio?: string; direction: Direction }>> = {
  Pushed: { disk: 'pushed, disk', studio: 'pushed, Studio', direction: 'push' },
  Pulled: { disk: 'pulled, disk', studio: 'pulled, Studio', direction: 'pull' },
  New: { disk: 'new, disk', direction: 'push' },
  Extra: { studio: 'extra, Studio', direction: 'pull' },
  Gone: { studio: 'deleted, Studio', direction: 'push' },
};
const names = Object.keys(scripts);
const fileOf = (name: string): string => `src/${name}.luau`;
const pathOf = (name: string): string => `ServerScriptService/${name}`;

const differing = (): Promise<SyncWorld> => {
  const sides = Object.entries(scripts);
  return syncWorld({
    git: 'none',
    files: Object.fromEntries(sides.flatMap(([name, { disk }]) => (disk === undefined ? [] : [[fileOf(name), disk]]))),
    place: Object.fromEntries(
      sides.flatMap(([name, { studio: source }]) =>
        source === undefined ? [] : [[pathOf(name), { className: 'ModuleScript', source }]],
      ),
    ),
  });
};

/** The decisions of `scripts` for the current differences. */
async function overridesOf(world: SyncWorld): Promise<readonly SyncOverride[]> {
  const { changes } = await world.sync({ mode: 'dryrun' });
  return changes.map(({ id, path, studioHash }) => ({
    id,
    direction: scripts[path.split('/').at(-1) ?? '']?.direction ?? 'push',
    ...(studioHash === undefined ? {} : { studioHash }),
  }));
}

const decidedSync = async (world: SyncWorld): Promise<SyncResult> => {
  const overrides = [...(await overridesOf(world))];
  world.link.passed.length = 0;
  return await world.sync({ mode: 'fastfail', overrides });
};

function sourcesOf(instance: StudioInstance): readonly string[] {
  return [...(instance.source === undefined ? [] : [instance.source]), ...instance.children.flatMap(sourcesOf)];
}

/** Asserts that every initial text is on disk, in Studio, or in the journal. */
async function assertNothingLost({ files, journal }: SyncWorld, studio: FakeStudio): Promise<void> {
  const kept = new Set<string | undefined>();
  for (const name of names) kept.add(files.text(fileOf(name))).add(studio.source(pathOf(name)));
  for (const { runId, record } of await journal.list())
    for (const item of JournalRecord.parse(record).items) {
      for (const text of item.studio === null ? [] : sourcesOf(item.studio)) kept.add(text);
      for (const { blob } of item.files)
        if (blob !== null) kept.add(new TextDecoder().decode(await journal.readBlob(runId, blob)));
    }
  for (const { disk, studio: text } of Object.values(scripts))
    for (const side of [disk, text]) assert.ok(side === undefined || kept.has(side), `"${side}" is lost`);
}

/** Asserts that each reported outcome is true, and that each file has one of the two texts, never part of one. */
function assertReportIsTrue({ files }: SyncWorld, studio: FakeStudio, { changes }: SyncResult): void {
  for (const { path, outcome } of changes) {
    const name = path.split('/').at(-1) ?? '';
    if (outcome === 'applied' || outcome === 'written')
      assert.equal(files.text(fileOf(name)), studio.source(path), `${path} was reported as ${outcome}`);
  }
  for (const [name, { disk, studio: text }] of Object.entries(scripts))
    assert.ok([disk, text, undefined].includes(files.text(fileOf(name))), `${name} has another text`);
  const expected = names.map(fileOf);
  const found = files.paths().filter(path => path.startsWith('src/') && path !== 'src/');
  assert.deepEqual(
    found.filter(path => !expected.includes(path)),
    [],
    'no other files',
  );
}

const conversation = await (async () => {
  const world = await differing();
  const result = await decidedSync(world);
  assert.equal(result.status, 'success');
  return world.link.passed;
})();

test('sends three requests for a decided sync', () => {
  const questions = conversation.filter(message => message.startsWith('toStudio'));
  assert.deepEqual(questions, ['toStudio: compare', 'toStudio: read', 'toStudio: apply']);
});

for (const [index, message] of conversation.entries())
  test(`loses and repeats nothing when the connection is cut at message ${index + 1}, ${message}`, async () => {
    const world = await differing();
    const overrides = [...(await overridesOf(world))];
    world.link.passed.length = 0;
    world.link.cutAt = index + 1;
    const result = await world.sync({ mode: 'fastfail', overrides });
    assert.equal(result.status, 'disconnected');
    assert.equal(result.error?.code, 'STUDIO_DISCONNECTED');
    assertReportIsTrue(world, world.studio, result);
    await assertNothingLost(world, world.studio);
    assert.equal(world.engine.current(), undefined);
    assert.equal(world.clock.pending, 0);

    const { studio } = world.join();
    const again = await decidedSync(world);
    assert.ok(again.status === 'success' || again.status === 'empty', again.summary);
    assertReportIsTrue(world, studio, again);
    await assertNothingLost(world, studio);
    assert.equal((await world.sync({ mode: 'dryrun' })).status, 'empty');
  });

for (const type of ['compare', 'read', 'apply'] as const)
  for (const how of ['silent', 'stalled'] as const)
    test(`ends the run at its budget and allows the next one when the plugin is ${how} at ${type}`, async () => {
      const world = await differing();
      const overrides = [...(await overridesOf(world))];
      world.studio[how].add(type);
      const run = world.engine.start({ mode: 'fastfail', overrides, requestedBy: 'test' });
      let result: SyncResult | undefined;
      void run.result.then(ended => (result = formatResult(ended)));
      for (let waited = 0; result === undefined && waited < 120_000; waited += 500) {
        await settle();
        world.clock.advance(500);
      }
      await settle();
      assert.ok(result, 'the run is stuck');
      assert.equal(result.error?.code, type === 'apply' ? 'STUDIO_NOT_RESPONDING' : 'STUDIO_BUSY');
      assertReportIsTrue(world, world.studio, result);
      await assertNothingLost(world, world.studio);
      assert.equal(world.clock.pending, 0);
      world.studio[how].delete(type);
      const again = await decidedSync(world);
      assert.equal(again.status, 'success', again.summary);
      assert.equal((await world.sync({ mode: 'dryrun' })).status, 'empty');
    });

test('matches replies to requests when they arrive out of order or before the receipt', async () => {
  const world = await differing();
  world.link.holds = () => true;
  const { signal } = new AbortController();
  const asked = [{ fsPath: fileOf('Pushed') }, { fsPath: fileOf('Pulled') }, { id: 'unknown' }];
  const answers = Promise.allSettled(
    asked.map(request => world.engine.readScript({ ...request, fromDraft: false }, signal)),
  );
  await settle();
  assert.equal(world.link.passed.filter(message => message === 'toStudio: getScript').length, 3);
  world.link.release();
  const texts = (await answers).map(one => (one.status === 'fulfilled' ? one.value.source : one.status));
  assert.deepEqual(texts, ['pushed, Studio', 'pulled, Studio', 'rejected']);
  assert.equal(world.clock.pending, 0);
});

test('ends the run and leaves the other place alone when Studio switches places', async () => {
  const world = await differing();
  const run = world.engine.start({ mode: 'manual', overrides: [], requestedBy: 'test' });
  await settle();
  assert.equal(run.phase(), 'reviewing');
  world.studio.disconnect('another place was opened');
  const other = world.join(
    {
      ServerScriptService: { className: 'ServerScriptService' },
      [pathOf('Pushed')]: { className: 'ModuleScript', source: 'other' },
    },
    { placeId: 8, placeName: 'Lobby' },
  );
  const result = await run.result;
  assert.equal(result.status, 'disconnected');
  const [review] = world.reviews;
  assert.throws(() => review?.apply(review.snapshot().revision));
  assert.deepEqual(
    other.studio.commands.map((command: StudioCommand) => command.type),
    [],
  );
  assert.equal(other.studio.source(pathOf('Pushed')), 'other');
  await assertNothingLost(world, world.studio);
});

test('ends the run of a Studio that closes while applying, and leaves the other one alone', async () => {
  const world = await differing();
  const other = world.join();
  const closed = 'studio-1';
  const { changes } = await world.sync({ mode: 'dryrun', studio: closed });
  const overrides = changes.map(({ id, studioHash }) => ({
    id,
    direction: 'push' as const,
    ...(studioHash && { studioHash }),
  }));
  world.studio.before = command => {
    if (command.type === 'apply') world.studio.disconnect('Studio was closed');
  };
  const result = await world.sync({ mode: 'fastfail', overrides, studio: closed });
  assert.equal(result.status, 'disconnected');
  assert.ok(result.changes.every(({ outcome }) => outcome === 'unknown' || outcome === 'failed'));
  assert.equal(other.studio.source(pathOf('Pushed')), 'pushed, Studio');
  assert.equal((await world.sync({ mode: 'dryrun' })).status, 'dryrun');
});
