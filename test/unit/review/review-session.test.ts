import { reasonOf } from '../../../src/protocol/reason.ts';
import { test } from 'node:test';
import { plainSentence } from '../../../src/base/sentence.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { threadCpuTime } from '../../../scripts/bench/cpu-time.ts';
import { decideWithForms, type Form, type FormAnswer } from '../../../src/review/decide-with-forms.ts';
import { restoreStrings } from '../../../src/review/restore-strings.ts';
import { englishLocalize, reviewStrings } from '../../../src/review/review-strings.ts';
import { plutoReviewStrings } from '../../../src/review/review-strings-pluto.ts';
import { createReviewSession } from '../../../src/review/review-session.ts';
import { studioSides } from '../../../src/sync/review/studio-sides.ts';
import { conflictWithParent } from '../../../src/sync/changes/consistency.ts';
import type { RunChange } from '../../../src/sync/changes/run-change.ts';
import { runChange } from '../../harness/run-change.ts';

const noNames = { enumItem: () => undefined, path: () => undefined };
const open = (changes: readonly RunChange[], restore?: 'disk' | 'studio') =>
  createReviewSession({
    restore,
    runId: 'run',
    placeName: 'Baseplate',
    requestedBy: 'Copilot',
    changes,
    sides: studioSides(noNames, restore),
    restoredIds: new Set(),
    refresh: () => undefined,
    checkMerge: async () => undefined,
    texts: async change => ({ title: change.studio.path, disk: undefined, studio: undefined, base: undefined }),
  });
const choices = (changes: readonly RunChange[]) => changes.map(change => change.choice);
const nested = (): RunChange[] => [
  runChange({ id: 'folder', patchType: 'Add', className: 'Folder' }),
  runChange({ id: 'script', patchType: 'Add', parentId: 'folder' }),
  runChange({ id: 'inner', patchType: 'Add', parentId: 'script' }),
];

test('increments the revision and updates the summary when a change is decided', () => {
  const changes = [runChange({ id: 'a' }), runChange({ id: 'b' })];
  const review = open(changes);
  const seen: number[] = [];
  review.onDidChange(({ status }) => seen.push(status.undecided));
  review.choose(['a'], 'push');
  assert.deepEqual(seen, [1]);
  assert.equal(review.snapshot().revision, 2);
  assert.equal(review.snapshot().summary, 'Studio: 1 updated. 1 undecided.');
});

test('counts everything in a folder that only Studio has in the summary', () => {
  const subtree = { count: 12, classes: { Folder: 12 }, hash: 'a'.repeat(40), listed: [] };
  const review = open([
    runChange({ id: 'a', patchType: 'Remove', className: 'Folder', subtree }),
    runChange({ id: 'b' }),
  ]);
  review.choose(['a'], 'push');
  assert.equal(review.status().summary, 'Studio: 12 removed. 1 undecided.');
  review.choose(['a'], 'pull');
  assert.equal(review.status().summary, 'Disk: 12 new. 1 undecided.');
  review.choose(['a'], 'skip');
  assert.equal(review.status().summary, '1 skipped. 1 undecided.');
});

test('forms name how many instances a removal includes', async () => {
  const removal = (id: string, count: number) =>
    runChange({ id, patchType: 'Remove', subtree: { count, classes: {}, hash: 'a'.repeat(40), listed: [] } });
  const forms: Form[] = [];
  const show = async (form: Form): Promise<FormAnswer> => {
    forms.push(form);
    return { action: 'decline' };
  };
  const review = open([removal('a', 1), removal('b', 2), removal('c', 3)]);
  await decideWithForms(review, reviewStrings(englishLocalize, 'en'), show, new AbortController().signal);
  const fields = Object.values(forms[0]?.requestedSchema.properties ?? {});
  assert.deepEqual(
    fields.map(({ description = '' }) => /With [^.]*\./.exec(description)?.[0]),
    [undefined, 'With 1 descendant.', 'With 2 descendants.'],
  );
});

test('names kinds of changes in a restore as in other reviews', () => {
  for (const side of ['disk', 'studio'] as const)
    assert.equal(
      restoreStrings(englishLocalize, 'en', side).kinds.Edit.name,
      reviewStrings(englishLocalize, 'en').kinds.Edit.name,
    );
});

test('claims nothing about files when Studio is restored', () => {
  const noFile = (side: 'disk' | 'studio') => restoreStrings(englishLocalize, 'en', side).details.noFile;
  assert.deepEqual([noFile('disk'), noFile('studio')], ['No file yet', 'No file is changed.']);
});

test('explains changes of a .pluto and its .pt without naming disk and Studio', () => {
  const { kinds } = plutoReviewStrings(englishLocalize, 'en');
  for (const { explanation } of Object.values(kinds)) assert.doesNotMatch(explanation, /disk|Studio/);
});

test('summarizes a restore as restored instead of updated', () => {
  const disk = open([runChange({ id: 'a' }, { choice: 'pull' })], 'disk').status();
  assert.equal(disk.summary, 'Disk: 1 restored.');
  assert.equal(disk.restore, 'disk');
  const studio = open([runChange({ id: 'a' }, { choice: 'push' })], 'studio').status();
  assert.equal(studio.summary, 'Studio: 1 restored.');
});

test('updates the warnings of the snapshot after another comparison', () => {
  const change = runChange({ id: 'a' });
  let warnings = ['A.luau cannot be read'];
  const review = createReviewSession({
    runId: 'run',
    placeName: 'Baseplate',
    requestedBy: 'Copilot',
    changes: [change],
    sides: studioSides(noNames, undefined),
    restoredIds: new Set(),
    warnings: () => warnings.map(plainSentence),
    refresh: () => undefined,
    checkMerge: async () => undefined,
    texts: async () => ({ title: '', disk: undefined, studio: undefined, base: undefined }),
  });
  const wholes: boolean[] = [];
  review.onDidChange(({ rows }) => wholes.push(rows === undefined));
  assert.deepEqual(review.snapshot().warnings, ['A.luau cannot be read']);
  review.replace([change]);
  warnings = [];
  review.replace([change]);
  assert.deepEqual(review.snapshot().warnings, []);
  assert.deepEqual(wholes, [false, true], 'changed warnings require a full snapshot');
});

test('refuses to apply while a change is undecided', () => {
  const review = open([runChange({ id: 'a' })]);
  assert.throws(() => review.apply(1), { code: 'REVIEW_REFUSED' });
  review.choose(['a'], 'skip');
  review.apply(2);
  assert.equal(review.snapshot().phase, 'applying');
});

test('refuses to apply an older revision', async () => {
  const review = open([runChange({ id: 'a' }, { choice: 'push' })]);
  review.choose(['a'], 'pull');
  assert.throws(() => review.apply(1), { code: 'REVIEW_REFUSED' });
  review.apply(2);
  assert.equal(await review.decision, 'apply');
});

test('refuses choices and a second decision after the review is decided', async () => {
  const review = open([runChange({ id: 'a' }, { choice: 'push' })]);
  review.reject(1);
  assert.equal(await review.decision, 'reject');
  assert.throws(() => review.choose(['a'], 'pull'), { code: 'REVIEW_REFUSED' });
  assert.throws(() => review.apply(2), { code: 'REVIEW_REFUSED' });
});

test('pushes the parents of a nested addition when it is pushed', () => {
  const changes = nested();
  open(changes).choose(['inner'], 'push');
  assert.deepEqual(choices(changes), ['push', 'push', 'push']);
});

test('skips pushed additions below a parent when the parent is skipped', () => {
  const changes = nested();
  const review = open(changes);
  review.choose(['inner'], 'push');
  review.choose(['folder'], 'skip');
  assert.deepEqual(choices(changes), ['skip', 'skip', 'skip']);
});

test('pulls everything in a folder when its removal from disk is chosen', () => {
  const changes = nested();
  const review = open(changes);
  review.choose(['inner'], 'push');
  review.choose(['folder'], 'pull');
  assert.deepEqual(choices(changes), ['pull', 'pull', 'pull']);
});

test('refuses a choice for an unknown id', () => {
  assert.throws(() => open([runChange({ id: 'a' })]).choose(['b'], 'push'), { code: 'REVIEW_REFUSED' });
});

test('reports which change a dependent choice follows until it is chosen directly', () => {
  const changes = nested();
  const review = open(changes);
  const follows = () => review.snapshot().rows.map(row => row.follows);
  review.choose(['inner'], 'push');
  assert.deepEqual(follows(), ['inner', 'inner', null]);
  review.choose(['folder'], 'skip');
  assert.deepEqual(follows(), [null, 'folder', 'folder']);
  review.choose(['script'], 'skip');
  assert.deepEqual(follows(), [null, null, 'folder']);
});

test('publishes exactly the rows that a choice changes', () => {
  const changes = [...nested(), runChange({ id: 'other' })];
  const review = open(changes);
  const touched: (readonly string[] | undefined)[] = [];
  review.onDidChange(({ rows }) => touched.push(rows?.map(row => row.id).toSorted()));
  review.choose(['other'], 'pull');
  review.choose(['inner'], 'push');
  review.setPhase('ended', 'Done.');
  assert.deepEqual(touched, [['other'], ['folder', 'inner', 'script'], undefined]);
});

test('keeps additions consistent with their parents for any order of choices', () => {
  const parents = fc.array(fc.nat(6), { minLength: 7, maxLength: 7 });
  const gestures = fc.array(
    fc.tuple(fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }), fc.constantFrom('push', 'pull', 'skip')),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(parents, gestures, (above, made) => {
      const changes = above.map((parent, index) =>
        runChange({ id: `${index}`, patchType: 'Add', parentId: parent < index ? `${parent}` : 'root' }),
      );
      const review = open(changes);
      for (const [chosen, choice] of made) {
        review.choose(chosen.map(String), choice);
        for (const index of chosen) assert.equal(changes[index]!.choice, choice);
      }
      for (const change of changes) {
        const parent = changes.find(({ studio }) => studio.id === change.studio.parentId);
        if (parent !== undefined && change.choice !== null)
          assert.equal(conflictWithParent(change.choice, parent.choice), undefined);
      }
      assert.equal(review.status().undecided, changes.filter(({ choice }) => choice === null).length);
    }),
  );
});

test('chooses for 20,000 nested additions in less than quadratic time', () => {
  const chain = Array.from({ length: 20_000 }, (_, index) =>
    runChange({ id: `${index}`, patchType: 'Add', parentId: index === 0 ? 'root' : `${index - 1}` }),
  );
  const review = open(chain);
  const ids = chain.map(({ studio }) => studio.id);
  const started = threadCpuTime();
  for (const choice of ['push', 'pull', 'skip'] as const) review.choose(ids, choice);
  // Quadratic time would be 400 million steps for each choice.
  assert.ok(threadCpuTime() - started < 3_000);
});

test('keeps decisions of unchanged sides after a new comparison and reopens the others', () => {
  const review = open([
    runChange({ id: 'same', studioHash: 'a'.repeat(40) }),
    runChange({ id: 'studio', studioHash: 'b'.repeat(40) }),
    runChange({ id: 'gone' }),
  ]);
  review.choose(['same', 'studio', 'gone'], 'pull');
  review.setComparing(true);
  assert.throws(() => review.apply(review.status().revision), { code: 'REVIEW_REFUSED' });
  const next = [
    runChange({ id: 'same', studioHash: 'a'.repeat(40) }),
    runChange({ id: 'studio', studioHash: 'c'.repeat(40) }, { choice: 'pull', defaultSelection: 'pull' }),
    runChange({ id: 'new' }, { choice: 'push', defaultSelection: 'push' }),
  ];
  review.replace(next);
  assert.deepEqual(choices(next), ['pull', null, 'push']);
  assert.deepEqual(
    review.snapshot().rows.map(row => row.isReopened),
    [false, true, true],
  );
  assert.equal(review.status().comparing, false);
  review.choose(['studio', 'new'], 'push');
  assert.ok(review.snapshot().rows.every(row => !row.isReopened));
});

test('compares no more after a review that ended during a comparison', () => {
  const review = open([runChange({ id: 'a' }, { choice: 'push' })]);
  review.setComparing(true);
  review.setPhase('ended', 'Studio disconnected.');
  assert.equal(review.status().comparing, false);
});

test('keeps asking for a new decision when a reopened change differs again', () => {
  const review = open([runChange({ id: 'a', studioHash: 'a'.repeat(40) })]);
  review.choose(['a'], 'pull');
  for (const hash of ['b', 'c']) {
    review.replace([runChange({ id: 'a', studioHash: hash.repeat(40) })]);
    assert.deepEqual(
      review.snapshot().rows.map(({ choice, isReopened }) => [choice, isReopened]),
      [[null, true]],
    );
  }
});

test('does not ask for a new decision of a change that was not decided', () => {
  const review = open([runChange({ id: 'undecided', studioHash: 'b'.repeat(40) })]);
  review.replace([runChange({ id: 'undecided', studioHash: 'c'.repeat(40) }), runChange({ id: 'new' })]);
  assert.deepEqual(
    review.snapshot().rows.map(row => row.isReopened),
    [false, false],
  );
});

test('reopens a decision, with the reason, when its parent is reopened', () => {
  const review = open(nested());
  review.choose(['inner'], 'push');
  const next = nested();
  Object.assign(next[0]!.studio, { className: 'Model' });
  review.replace(next);
  assert.deepEqual(choices(next), [null, null, null]);
  assert.deepEqual(review.snapshot().rows[1]!.reason, reasonOf('parent_not_in_studio'));
});

test('shows enum items and references by name', () => {
  const changes = [
    runChange({
      id: 'part',
      className: 'Part',
      properties: { Material: { current: { Enum: 256 }, incoming: { Enum: 1 } }, Owner: { incoming: { Ref: 'x' } } },
    }),
  ];
  const review = createReviewSession({
    runId: 'run',
    placeName: 'Baseplate',
    requestedBy: 'Copilot',
    changes,
    sides: studioSides(
      {
        enumItem: (className, property, value) =>
          className === 'Part' && property === 'Material' && value === 256 ? 'Plastic' : undefined,
        path: id => (id === 'x' ? 'Workspace/Owner' : undefined),
      },
      undefined,
    ),
    restoredIds: new Set(),
    refresh: () => undefined,
    checkMerge: async () => undefined,
    texts: async () => ({ title: '', disk: undefined, studio: undefined, base: undefined }),
  });
  const { rows, paths } = review.snapshot();
  assert.deepEqual(rows[0]!.enumNames, { Material: { current: 'Plastic' } });
  assert.deepEqual(paths, { x: 'Workspace/Owner' });
});

test('shows the texts of both sides as they are now when a side changes while they are read', async () => {
  const [first, second] = [runChange({ id: 'a' }), runChange({ id: 'a', studioHash: 'b'.repeat(40) })];
  const reading = Promise.withResolvers<string>();
  const read: RunChange[] = [];
  const review = createReviewSession({
    runId: 'run',
    placeName: 'Baseplate',
    requestedBy: 'Copilot',
    changes: [first],
    sides: studioSides(noNames, undefined),
    restoredIds: new Set(),
    refresh: () => undefined,
    checkMerge: async () => undefined,
    async texts(change) {
      read.push(change);
      const text = change === first ? await reading.promise : 'new\n';
      return { title: 'A', disk: { fsPath: null, text }, studio: { text: 'Studio\n' }, base: undefined };
    },
  });
  const shown = review.texts('a');
  review.replace([second]);
  reading.resolve('old\n');
  assert.equal((await shown).disk?.text, 'new\n');
  assert.deepEqual(read, [first, second]);
});
