import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeShards } from '../../../scripts/test/shards.ts';
import { failureCount, KeptForNext } from '../../host/harness/keep-for-next.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

function windowLike() {
  const one = { isClosed: false, [Symbol.asyncDispose]: async () => void (one.isClosed = true) };
  return one;
}
const empty = async (): Promise<boolean> => true;

test('gives the next test file what an earlier one gave back', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const [kept, one] = [new KeptForNext(), windowLike()];
  await kept.giveBack(one, failureCount(), empty);
  assert.equal(await kept.take(), one);
  t.mock.timers.tick(60_000);
  assert.deepEqual([one.isClosed, await kept.take()], [false, undefined]);
});

test('closes what no other file takes in a minute', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const [kept, one] = [new KeptForNext(), windowLike()];
  await kept.giveBack(one, failureCount(), empty);
  t.mock.timers.tick(60_000);
  assert.deepEqual([one.isClosed, await kept.take()], [true, undefined]);
});

test('closes what is given back after the end of the last file', async () => {
  const [kept, one] = [new KeptForNext(), windowLike()];
  await kept.end();
  await kept.giveBack(one, failureCount(), empty);
  assert.deepEqual([one.isClosed, await kept.take()], [true, undefined]);
});

test('closes what cannot be emptied, and a second one', async () => {
  await using kept = new KeptForNext();
  const [full, first, second] = [windowLike(), windowLike(), windowLike()];
  await kept.giveBack(full, failureCount(), async () => false);
  await kept.giveBack(first, failureCount(), empty);
  await kept.giveBack(second, failureCount(), empty);
  assert.deepEqual([full.isClosed, first.isClosed, second.isClosed], [true, false, true]);
  assert.equal(await kept.take(), first);
});

const harness = JSON.stringify(new URL('../../host/harness/keep-for-next.ts', import.meta.url).href);
/** Numbers windows in the order in which they were opened. */
const windows = `import { after } from 'node:test';
import { failureCount, KeptForNext } from ${harness};
const kept = new KeptForNext();
after(() => kept.end());
let opened = 0;
export async function open(isShareable = true) {
  const failuresBefore = failureCount();
  const one = (await kept.take()) ?? { id: ++opened, async [Symbol.asyncDispose]() {} };
  return { id: one.id, [Symbol.asyncDispose]: () => kept.giveBack(one, failuresBefore, async () => isShareable) };
}
`;
/** The file closes its window after its tests. */
const perFile = (test: string): string => `import { after, before, test } from 'node:test';
import { open } from './windows.mjs';
let shown;
before(async () => { shown = await open(); });
after(() => shown[Symbol.asyncDispose]());
test('works', async () => { ${test} });`;
/** The test closes its window. */
const perTest = (end: string): string => `import { test } from 'node:test';
import { open } from './windows.mjs';
test('works', async () => { await using shown = await open(); ${end} });`;
const fails = `throw new Error('planted');`;

const runFile = (file: string) =>
  spawnSync(process.execPath, ['--test-reporter=tap', file], {
    encoding: 'utf8',
    timeout: 20_000,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });

const firstFiles = [
  { what: 'in a file that passed', text: perFile(''), next: 1 },
  { what: 'in a file with a failed test', text: perFile(fails), next: 2 },
  { what: 'in a test that passed', text: perTest(''), next: 1 },
  { what: 'in a test that failed', text: perTest(fails), next: 2 },
  {
    what: 'beside another kind of window, which opened after the failure',
    text: `${perFile(fails)}\ntest('opens another', async () => { await using second = await open(false); });`,
    next: 3,
  },
];
for (const { what, text, next } of firstFiles)
  test(`opens window ${next} in a file after one used ${what}`, async () => {
    const last = perFile('console.log(`window ${shown.id}`);');
    await using folder = await tempFolder({ 'windows.mjs': windows, 'a.test.mjs': text, 'b.test.mjs': last });
    const files = ['a.test.mjs', 'b.test.mjs'].map(name => join(folder.path, name));
    const [program = ''] = writeShards('kept-for-next', [files], 20_000);
    assert.match(runFile(program).stdout, new RegExp(`^window ${next}$`, 'm'));
  });

test('ends the process of a file that runs alone, which closes its window after the harness', async () => {
  await using folder = await tempFolder({ 'windows.mjs': windows, 'a.test.mjs': perFile('') });
  assert.equal(runFile(join(folder.path, 'a.test.mjs')).status, 0);
});
