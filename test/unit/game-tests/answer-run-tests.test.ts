import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRunTestsAnswers } from '../../../src/game-tests/tools/answer-run-tests.ts';
import type { GameTestQuery, GameTestRunner } from '../../../src/ports/game-tests.ts';
import type { GameTestResult } from '../../../src/protocol/game-tests.ts';
import { ManualClock } from '../../harness/manual-clock.ts';
import { sequentialRandom } from '../../harness/sequential-random.ts';
import { toolCall } from '../../harness/tool-call.ts';

const result = (name: string, failure?: string, output = ''): GameTestResult => ({
  event: 'test',
  file: 'src/a.spec.luau',
  names: [name],
  line: 1,
  status: failure === undefined ? 'passed' : 'failed',
  ms: 1,
  ...(failure !== undefined && { failure: { message: failure, stack: [], unavailable: [] } }),
  output: output === '' ? [] : [{ level: 'output', message: output }],
});

function answering(results: readonly GameTestResult[]) {
  const queries: GameTestQuery[] = [];
  const runner: GameTestRunner = {
    async run(query, _signal, { onResult }) {
      queries.push(query);
      for (const each of results) onResult(each);
      const failed = results.filter(({ status }) => status === 'failed').length;
      const passed = results.length - failed;
      return { ok: true, totals: { event: 'ended', ok: failed === 0, files: 1, passed, failed, skipped: 0, ms: 5 } };
    },
  };
  const answer = createRunTestsAnswers({
    runner,
    project: () => '/game/default.project.json',
    clock: new ManualClock(),
    random: sequentialRandom(),
  });
  return { answer, queries };
}

test('lists what failed, and everything when asked', async () => {
  const { answer, queries } = answering([result('adds', undefined, 'x'), result('fails', 'no', 'y'.repeat(5000))]);
  const failed = await answer({ filter: 'a.spec', all: false }, toolCall());
  assert.deepEqual(queries, [{ project: '/game/default.project.json', filters: ['a.spec'] }]);
  assert.equal(failed.outcome, 'done');
  assert.equal(failed.status, 'failed');
  assert.equal(failed.summary, '2 tests in 1 file: 1 passed, 1 failed, 0 skipped.');
  assert.deepEqual(
    failed.tests.map(({ names }) => names),
    [['fails']],
  );
  assert.equal(failed.tests[0]?.output[0]?.message.length, 2001, 'output is cut');
  const all = await answer({ all: true }, toolCall());
  assert.equal(all.tests.length, 2);
  assert.deepEqual(all.tests[0]?.output, []);
});

test('never cuts through a character', async () => {
  const { answer } = answering([result('fails', `${'n'.repeat(1999)}😀no`, `${'y'.repeat(1999)}😀yes`)]);
  const { tests } = await answer({ all: false }, toolCall());
  assert.ok(tests[0]?.failure?.message.isWellFormed());
  assert.ok(tests[0]?.output[0]?.message.isWellFormed());
});

test('pages long results without a new run, and refuses a cursor of a forgotten run', async () => {
  const { answer, queries } = answering(
    Array.from({ length: 300 }, (_, index) => result(`t${index}`, 'no '.repeat(50))),
  );
  const first = await answer({ all: false }, toolCall());
  const names = first.tests.map(test => test.names[0]);
  for (let cursor = first.cursor; cursor !== undefined;) {
    const next = await answer({ all: false, cursor }, toolCall());
    assert.ok(JSON.stringify(next.tests).length <= 12_500);
    names.push(...next.tests.map(test => test.names[0]));
    cursor = next.cursor;
  }
  assert.deepEqual(
    names,
    Array.from({ length: 300 }, (_, index) => `t${index}`),
  );
  assert.equal(queries.length, 1);
  assert.match(first.summary, /300 failed, 0 skipped\. The next pages list \d+ more\.$/);
  for (let run = 0; run < 4; run++) await answer({ all: false }, toolCall());
  const { cursor = '' } = first;
  await assert.rejects(answer({ all: false, cursor }, toolCall()), { code: 'INVALID_INPUT' });
  await assert.rejects(answer({ all: false, cursor: 'x' }, toolCall()), { code: 'INVALID_INPUT' });
});

test('answers why no tests ran', async () => {
  const error = { code: 'NO_TESTS', message: 'There are no tests.', hint: 'Add test files.' };
  const answer = createRunTestsAnswers({
    runner: { run: async () => ({ ok: false, error }) },
    project: () => '/game',
    clock: new ManualClock(),
    random: sequentialRandom(),
  });
  const { status, outcome, summary, error: said } = await answer({ all: false }, toolCall());
  assert.deepEqual(
    { status, outcome, summary, said },
    { status: 'error', outcome: 'failed', summary: error.message, said: error },
  );
});
