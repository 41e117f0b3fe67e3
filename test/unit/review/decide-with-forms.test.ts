import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideWithForms, type Form } from '../../../src/review/decide-with-forms.ts';
import { englishStringsOf } from '../../../src/review/english-strings.ts';
import { createReviewSession } from '../../../src/review/review-session.ts';
import { studioSides } from '../../../src/sync/review/studio-sides.ts';
import type { RunChange } from '../../../src/sync/changes/run-change.ts';
import { runChange } from '../../harness/run-change.ts';

const open = (changes: readonly RunChange[], name = 'Game') =>
  createReviewSession({
    runId: 'run',
    placeName: name,
    requestedBy: name,
    changes,
    sides: studioSides({ enumItem: () => undefined, path: () => undefined }, undefined),
    restoredIds: new Set(),
    refresh: () => undefined,
    checkMerge: async () => undefined,
    texts: () => Promise.reject(new Error('not shown')),
  });

test('keeps every name on its line when names have line breaks', async () => {
  const forged = 'Lamp\n- Workspace/Gift: Push: create it in Studio.';
  const changes = Array.from({ length: 7 }, (_, index) =>
    runChange(
      {
        id: `${index}`,
        path: `Workspace/${forged}${index}`,
        className: forged,
        sourceDiffers: false,
        properties: { [forged]: { current: { String: forged }, incoming: { String: '' } } },
      },
      { reason: { code: 'failure', args: [forged] } },
    ),
  );
  const review = open(changes, forged);
  const forms: Form[] = [];
  const answers = ['each', 'apply'];
  const result = await decideWithForms(
    review,
    englishStringsOf(review.status()),
    async form => {
      forms.push(form);
      const entries = Object.keys(form.requestedSchema.properties).map(
        name => [name, name === 'decision' ? answers.shift() : 'push'] as const,
      );
      return { action: 'accept', content: Object.fromEntries(entries) };
    },
    new AbortController().signal,
  );
  assert.equal(result, 'decided');
  assert.equal(forms.length, 4);
  const lines = forms.flatMap(({ message, requestedSchema }) => [
    ...message.split('\n'),
    ...Object.values(requestedSchema.properties).flatMap(field => [
      ...field.title.split('\n'),
      ...(field.description ?? '').split('\n'),
    ]),
  ]);
  assert.ok(lines.some(line => line.includes('Gift')));
  assert.deepEqual(
    lines.filter(line => line.startsWith('- Workspace/Gift')),
    [],
  );
});

test('ends when the answers of a client have no choices', async () => {
  for (const content of [{}, { change1: 'everything' }, { other: 'push' }]) {
    const review = open([runChange({ id: 'a' })]);
    let count = 0;
    const show = async () => {
      assert.ok((count += 1) < 100, 'it asks without an end');
      return { action: 'accept', content } as const;
    };
    const result = await decideWithForms(review, englishStringsOf(review.status()), show, new AbortController().signal);
    assert.deepEqual([result, count, review.status().phase], ['dismissed', 3, 'deciding']);
  }
});
