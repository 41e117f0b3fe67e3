import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { playRound } from '../../../scripts/rounds/play-round.ts';
import { RoundLog } from '../../../scripts/rounds/round-log.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

test('runs every file once before one is run twice, and continues after an interruption', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'out/rounds.jsonl');
  const order: string[] = [];
  for (let played = 0; ; played += 1) {
    // Opened again each time, as after an interruption.
    const log = new RoundLog(path);
    const next = log.next(['a', 'b'], 2);
    if (next === undefined) break;
    order.push(`${next.file}${next.round}`);
    log.add({ ...next, seed: played, failures: next.file === 'b' && next.round === 2 ? ['breaks'] : [] });
  }
  assert.deepEqual(order, ['a1', 'b1', 'a2', 'b2']);
  assert.deepEqual(new RoundLog(path).failures(['a', 'b']), [{ file: 'b', round: 2, seed: 3, failures: ['breaks'] }]);
  assert.deepEqual(new RoundLog(path).failures(['a']), []);
});

test('runs no file twice at once', async () => {
  await using folder = await tempFolder();
  const log = new RoundLog(join(folder.path, 'rounds.jsonl'));
  assert.deepEqual(log.next(['a', 'b'], 1, new Set(['a'])), { file: 'b', round: 1 });
  assert.equal(log.next(['a', 'b'], 1, new Set(['a', 'b'])), undefined);
});

test('names the tests that failed in a round, and a file that cannot run', async () => {
  await using folder = await tempFolder({
    'half.test.mjs': `import { test } from 'node:test';
      test('works', () => {});
      test('breaks', () => { throw new Error('broken'); });`,
    'none.test.mjs': 'process.exit(3);',
    'fine.test.mjs': `import { test } from 'node:test'; test('works', () => {});`,
  });
  const failuresOf = async (file: string) => (await playRound(join(folder.path, file), 1)).failures;
  assert.deepEqual(await failuresOf('fine.test.mjs'), []);
  assert.deepEqual(await failuresOf('half.test.mjs'), ['breaks']);
  assert.equal((await failuresOf('none.test.mjs')).length, 1);
});
