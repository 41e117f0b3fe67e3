import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher as hasher } from '../../../../src/adapters/node/hasher.ts';
import { recordedRuns } from '../../../../src/sync/history/recorded-runs.ts';
import { addDeclaration } from '../../../../src/pluto/session/edits/add-declaration.ts';
import { deleteDeclaration } from '../../../../src/pluto/session/edits/delete-declaration.ts';
import { replaceDeclaration } from '../../../../src/pluto/session/edits/replace-declaration.ts';
import { generateView } from '../../../../src/pluto/session/views/generate-view.ts';
import { viewModulesOf } from '../../../../src/pluto/session/views/view-modules.ts';
import type { ViewSyncRequest } from '../../../../src/pluto/review/view-sync-request.ts';
import { createViewSyncs, type ViewSyncRun } from '../../../../src/pluto/review/view-syncs.ts';
import type { ReviewControl } from '../../../../src/ports/review-surface.ts';
import type { ReviewRow } from '../../../../src/protocol/review.ts';
import type { Choice } from '../../../../src/protocol/sync-request.ts';
import { defaultSettings } from '../../../harness/default-settings.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { MemoryJournalStore } from '../../../harness/memory-journal-store.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { memoryReviewDrafts } from '../../../harness/memory-review-drafts.ts';
import { sequentialRandom } from '../../../harness/sequential-random.ts';
import { until } from '../../../harness/until.ts';
import { SessionWorld, signal } from '../language/session-world.ts';
import { CountingSlice } from '../../../harness/counting-slice.ts';

const text = 'fn both() {}\n\nfn view() {}\n\nfn container() {}\n\nclass gone {\n    a: int\n}\n';

/** `a.pluto` and its view; each declaration is named after the sides that changed it, and `gone` was deleted from the `.pt`. */
class World {
  readonly project: SessionWorld;
  readonly clock = new ManualClock();
  readonly journal = new MemoryJournalStore();
  readonly drafts = memoryReviewDrafts();
  readonly shown: ReviewControl[] = [];
  readonly syncs: ReturnType<typeof createViewSyncs>;

  private constructor(project: SessionWorld) {
    this.project = project;
    this.syncs = createViewSyncs({
      modules: viewModulesOf(project.session),
      watcher: project.disk,
      clock: this.clock,
      random: sequentialRandom(),
      hasher,
      log: memoryLog(),
      settings: defaultSettings(),
      journal: this.journal,
      surface: { drafts: this.drafts, show: async review => void this.shown.push(review) },
    });
  }

  static async moved(): Promise<World> {
    const project = await SessionWorld.of({ 'a.pluto': text });
    await addDeclaration(project.session, { path: 'a.pluto', source: 'fn last() {}', position: 'end' }, signal);
    await project.save();
    await generateView(project.session, 'a.pluto');
    const world = new World(project);
    world.edit('fn both() {}', 'fn both() {\n    print(1)\n}');
    world.edit('fn view() {}', 'fn view() {\n    print(1)\n}');
    world.edit(/\/\/ @uuid: [^\n]+\nclass gone \{\n[^}]+\}\n/, '');
    await world.replace('both', 'fn both() {\n    print(2)\n}');
    await world.replace('container', 'fn container() {\n    print(2)\n}');
    await project.save();
    return world;
  }

  edit(from: string | RegExp, to: string): void {
    this.project.disk.set('a.pt', (this.view ?? '').replace(from, to));
  }

  get view(): string {
    return this.project.disk.text('a.pt') ?? '';
  }

  module(): Promise<string> {
    return this.project.text('a.pluto');
  }

  async replace(name: string, source: string): Promise<void> {
    await replaceDeclaration(this.project.session, { id: await this.project.idOf(name), source }, signal);
  }

  begin(request: Partial<ViewSyncRequest> = {}): ViewSyncRun {
    const run = this.syncs.start({
      path: 'a.pt',
      overrides: [],
      mode: 'standard',
      requestedBy: 'Copilot',
      ...request,
    });
    run.result.catch(() => undefined);
    return run;
  }

  async review(): Promise<ReviewControl> {
    await until(() => this.shown.length > 0);
    const review = this.shown.at(-1);
    assert.ok(review !== undefined);
    return review;
  }
}

const rowOf = (review: ReviewControl, name: string): ReviewRow => {
  const row = review.snapshot().rows.find(({ path }) => path === name);
  assert.ok(row !== undefined, `there is a row for ${name}`);
  return row;
};
const choose = (review: ReviewControl, choices: Readonly<Record<string, Choice>>): void => {
  for (const [name, choice] of Object.entries(choices)) review.choose([rowOf(review, name).id], choice);
};
const apply = (review: ReviewControl): void => review.apply(review.status().revision);

test('shows declarations as rows, and leaves deletions and conflicts undecided', async () => {
  const world = await World.moved();
  world.begin();
  const review = await world.review();
  assert.deepEqual(
    review
      .snapshot()
      .rows.map(row => [row.path, row.className, row.patchType, row.choice, row.defaultReason, row.side].join(' '))
      .toSorted(),
    [
      'both function Edit  base_both_moved both',
      'container function Edit pull base_studio_moved studio',
      'gone class Remove  removal unknown',
      'view function Edit push base_disk_moved disk',
    ],
  );
  const { sides, placeName, requestedBy, summary } = review.status();
  assert.deepEqual([sides, placeName, requestedBy], ['pluto', 'a.pt', 'Copilot']);
  assert.equal(summary, '.pluto: 1 updated. .pt: 1 updated. 2 undecided.');
});

test('explains each suggestion without repeating the kind of the change', async () => {
  const world = await World.moved();
  world.begin();
  const review = await world.review();
  for (const { explanation } of review.snapshot().rows) assert.doesNotMatch(explanation, /\bonly in\b/i);
});

test('applies the decisions to the module and the view, and records them in the journal', async () => {
  const world = await World.moved();
  const before = world.view;
  const run = world.begin();
  const review = await world.review();
  assert.equal(world.view, before);
  choose(review, { both: 'push', gone: 'push' });
  apply(review);
  const { status } = await run.result;
  assert.equal(status, 'synced');
  const wanted = 'fn both() {\n    print(1)\n}\n\nfn view() {\n    print(1)\n}\n\nfn container() {\n    print(2)\n}\n';
  assert.equal(await world.module(), `${wanted}\nfn last() {}\n`);
  assert.match(world.view, /print\(1\)[^]*print\(1\)[^]*print\(2\)/);
  const [kept] = await recordedRuns(world.journal, 10, new CountingSlice());
  assert.equal(kept?.requestedBy, 'Copilot');
  assert.equal(new TextDecoder().decode(await world.journal.readBlob(kept?.runId ?? '', 'view')), before);
  assert.equal(review.status().outcome, 'a.pluto and a.pt are in sync.');
  assert.equal(rowOf(review, 'container').outcome, 'written');
  assert.equal(world.clock.pending, 0, 'no timer is left');
});

test('changes nothing when a person rejects', async () => {
  const world = await World.moved();
  const before = [world.view, await world.module()];
  const run = world.begin();
  const review = await world.review();
  review.reject(review.status().revision);
  assert.equal((await run.result).status, 'rejected');
  assert.deepEqual([world.view, await world.module()], before);
});

test("preselects an agent's overrides, and declines them when a person decides otherwise", async () => {
  const world = await World.moved();
  const both = await world.project.idOf('both');
  const gone = await world.project.idOf('gone');
  const run = world.begin({
    overrides: [
      { id: both, take: 'pluto', digest: '000000000000' },
      { id: gone, take: 'pt' },
    ],
  });
  const review = await world.review();
  assert.deepEqual(rowOf(review, 'both').override, { direction: 'pull', verdict: 'hash_mismatch' });
  assert.equal(rowOf(review, 'both').choice, null);
  assert.deepEqual(rowOf(review, 'gone').override, { direction: 'push', verdict: 'accepted' });
  assert.equal(rowOf(review, 'gone').choice, 'push');
  choose(review, { both: 'push', gone: 'pull' });
  apply(review);
  const { status, verdicts } = await run.result;
  assert.deepEqual([status, verdicts.map(one => one.verdict)], ['synced', ['hash_mismatch', 'declined']]);
  assert.match(await world.module(), /class gone/);
  assert.match(world.view, /class gone/);
});

test('reopens only the changed declarations when a side changes during the review', async () => {
  const world = await World.moved();
  world.begin();
  const review = await world.review();
  choose(review, { both: 'push', gone: 'skip', view: 'pull' });
  world.edit('fn view() {\n    print(1)', 'fn view() {\n    print(11)');
  world.clock.advance(1_000);
  await until(() => rowOf(review, 'view').isReopened);
  assert.deepEqual(
    ['both', 'gone', 'view'].map(name => rowOf(review, name).choice),
    ['push', 'skip', null],
  );
  const compared = new Promise(resolve => review.onDidChange(resolve));
  await world.replace('both', 'fn both() {\n    print(22)\n}');
  world.clock.advance(1_000);
  await compared;
  await until(() => rowOf(review, 'both').isReopened);
  assert.equal(rowOf(review, 'gone').choice, 'skip');
});

test('waits until the view parses', async () => {
  const world = await World.moved();
  const run = world.begin();
  const review = await world.review();
  world.edit('fn view() {', 'fn view( {');
  world.clock.advance(1_000);
  await until(() => review.status().comparing);
  world.edit('fn view( {', 'fn view() {');
  await until(() => !review.status().comparing);
  choose(review, { both: 'pull', gone: 'pull', view: 'push' });
  apply(review);
  assert.equal((await run.result).status, 'synced');
});

test('overwrites nothing and reports it when a side changes during Apply', async () => {
  const world = await World.moved();
  const run = world.begin();
  const review = await world.review();
  choose(review, { both: 'pull', gone: 'pull' });
  world.edit('fn last() {}', 'fn last() {\n    print(9)\n}');
  apply(review);
  await assert.rejects(run.result, { code: 'FILE_CHANGED' });
  assert.match(world.view, /print\(9\)/);
  assert.match(review.status().outcome ?? '', /a\.pt/);
});

test('writes hunks of both sides to the view and the module only when they are applied', async () => {
  const world = await World.moved();
  await world.replace('both', 'fn both() {\n    print(0)\n}\n');
  world.edit('fn both() {\n    print(1)\n}', 'fn both() {\n    print(1)\n    print(2)\n    print(3)\n}');
  await world.replace('both', 'fn both() {\n    print(7)\n    print(2)\n    print(8)\n}');
  await world.project.save();
  const run = world.begin();
  const review = await world.review();
  const { id } = rowOf(review, 'both');
  const { view } = world;
  const texts = await review.texts(id);
  assert.match(texts.studio?.text ?? '', /print\(7\)/);
  assert.equal(review.hunks(id).length, 2);
  await review.decideHunk(id, 0, 'push');
  await review.decideHunk(id, 1, 'pull');
  assert.equal(rowOf(review, 'both').choice, 'merge');
  assert.equal(world.view, view, 'nothing is written before Apply');
  choose(review, { gone: 'skip' });
  apply(review);
  assert.equal((await run.result).status, 'synced');
  assert.equal(rowOf(review, 'both').outcome, 'merged');
  assert.match(world.view, /fn both\(\) \{\n {4}print\(1\)\n {4}print\(2\)\n {4}print\(8\)\n\}/);
  assert.match(await world.module(), /print\(1\)\n {4}print\(2\)\n {4}print\(8\)/);
  assert.match(await world.module(), /class gone/);
  assert.doesNotMatch(world.view, /class gone/);
});

test('asks a person only in manual mode when everything is decided, and never in fastfail', async () => {
  const world = await World.moved();
  assert.equal((await world.begin({ mode: 'fastfail' }).result).status, 'unresolved');
  assert.equal(world.shown.length, 0);
  const overrides = [
    { id: await world.project.idOf('both'), take: 'pt' as const },
    { id: await world.project.idOf('gone'), take: 'pt' as const },
  ];
  const manual = world.begin({ mode: 'manual', overrides });
  const review = await world.review();
  assert.equal(review.status().undecided, 0);
  manual.cancel();
  await assert.rejects(manual.result, { code: 'CANCELLED' });
  assert.equal((await world.begin({ overrides }).result).status, 'synced');
  assert.equal(world.shown.length, 1);
});

test('opens one review per view, which times out without a decision', async () => {
  const world = await World.moved();
  const run = world.begin();
  await world.review();
  assert.equal(world.syncs.deciding('a.pt'), run);
  assert.throws(() => world.begin(), { code: 'PLUTO_EDIT_REFUSED' });
  world.clock.advance(31 * 60_000);
  await assert.rejects(run.result, { code: 'REVIEW_TIMEOUT' });
  assert.equal(world.syncs.deciding('a.pt'), undefined);
});

test('opens one review when two syncs need one at the same time, and refuses the other', async () => {
  const world = await World.moved();
  const runs = [world.begin(), world.begin()];
  const review = await world.review();
  const refused = runs.find(run => run.runId !== review.status().runId);
  await assert.rejects(refused?.result ?? Promise.resolve(), { code: 'PLUTO_EDIT_REFUSED' });
  assert.equal(world.syncs.deciding('a.pt')?.runId, review.status().runId);
  assert.equal(world.shown.length, 1);
});

test('restores choices after a reload, except deletions', async () => {
  const world = await World.moved();
  const first = world.begin();
  choose(await world.review(), { both: 'push', gone: 'push', view: 'skip' });
  world.clock.advance(1_000);
  first.cancel();
  await assert.rejects(first.result);
  world.shown.length = 0;
  world.begin();
  const review = await world.review();
  assert.deepEqual(
    ['both', 'gone', 'view'].map(name => [rowOf(review, name).choice, rowOf(review, name).isRestored].join(' ')),
    ['push true', ' false', 'skip true'],
  );
});

test('says that the decisions of an Apply that failed could not be saved', async () => {
  const world = await World.moved();
  const run = world.begin();
  const review = await world.review();
  choose(review, { both: 'push', gone: 'skip', view: 'skip' });
  world.edit('fn last() {}', 'fn last() {\n    print(9)\n}');
  world.drafts.save = () => Promise.reject(new Error('no space left on device'));
  apply(review);
  await assert.rejects(run.result, { code: 'FILE_CHANGED' });
  assert.match(
    review.status().outcome ?? '',
    / Your latest decisions could not be saved, so check them in the next review\.$/,
  );
});

test('restores the decisions of an Apply that failed', async () => {
  const world = await World.moved();
  const first = world.begin();
  const failing = await world.review();
  choose(failing, { both: 'push', gone: 'skip', view: 'skip' });
  world.edit('fn last() {}', 'fn last() {\n    print(9)\n}');
  apply(failing);
  await assert.rejects(first.result, { code: 'FILE_CHANGED' });
  assert.match(failing.status().outcome ?? '', / Your decisions are kept for the next review\.$/);
  world.shown.length = 0;

  const second = world.begin();
  const review = await world.review();
  assert.deepEqual(
    ['both', 'gone', 'view'].map(name => rowOf(review, name).choice),
    ['push', 'skip', 'skip'],
  );
  choose(review, { last: 'skip' });
  apply(review);
  await second.result;
  world.shown.length = 0;
  world.begin({ mode: 'manual' });
  assert.equal(rowOf(await world.review(), 'view').choice, 'push');
});

test('treats a declaration that the module deleted as a removal', async () => {
  const world = await World.moved();
  await deleteDeclaration(world.project.session, await world.project.idOf('last'), signal);
  world.begin();
  const { patchType, choice, defaultReason, defaultSelection } = rowOf(await world.review(), 'last');
  assert.deepEqual([patchType, choice, defaultReason, defaultSelection], ['Add', null, 'removal', null]);
});

test('replaces nothing without a person when the .pt has no known origin', async () => {
  const world = await World.moved();
  const before = await world.module();
  world.project.disk.set('a.pt', 'fn view() {\n    print(1)\n}\n');
  const run = world.begin();
  const review = await world.review();
  assert.ok(review.snapshot().rows.every(({ choice }) => choice === null));
  assert.equal(rowOf(review, 'view').defaultReason, 'no_base');
  review.reject(review.status().revision);
  await run.result;
  assert.equal(await world.module(), before);
});
