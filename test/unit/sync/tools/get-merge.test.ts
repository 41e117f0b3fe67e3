import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { ScriptMerge } from '../../../../src/sync/sync-engine.ts';
import { getMerge } from '../../../../src/sync/tools/get-merge.ts';
import { FakeEngine } from '../../../harness/fake-engine.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { toolCall } from '../../../harness/tool-call.ts';

const script: Omit<ScriptMerge, 'merge'> = {
  studioHash: 'a1b2c3d4e5a1b2c3d4e5a1b2c3d4e5a1b2c3d4e5',
  diskHash: 'b1b2c3d4e5a1b2c3d4e5a1b2c3d4e5a1b2c3d4e5',
  className: 'Script',
  instancePath: 'ServerScriptService/Main',
  at: { workspaceGen: 7, connectionEpoch: 1 },
  id: '00abcdef01234567890abcdef0123456',
  fsPath: 'src/Main.server.luau',
};
const conflict = { line: 1, base: 'a\n', disk: 'b\n', studio: 'c\n' };
const answers: readonly (readonly [ScriptMerge['merge'], object])[] = [
  [
    { text: 'x', conflicts: [] },
    { status: 'merged', summary: 'Merged ServerScriptService/Main without conflicts.', text: 'x' },
  ],
  [
    { text: 'x', conflicts: [conflict] },
    {
      status: 'conflicts',
      summary: 'Merged ServerScriptService/Main with 1 conflict.',
      text: 'x',
      conflicts: [conflict],
      page: { total: 1, from: 0 },
    },
  ],
  [
    { text: 'x', conflicts: [], problem: 'line 2: no' },
    {
      status: 'not_compiling',
      summary: 'The merge of ServerScriptService/Main does not compile: line 2: no.',
      text: 'x',
      problem: 'line 2: no',
    },
  ],
  [
    undefined,
    { status: 'no_base', summary: 'No common version of ServerScriptService/Main is known, so it cannot be merged.' },
  ],
];

for (const [merge, expected] of answers)
  test(`get_merge answers ${'status' in expected ? String(expected.status) : ''} with both hashes`, async () => {
    const engine = new FakeEngine();
    engine.merge = { ...script, merge };
    const answer = await getMerge.call(
      { engine, clock: new ManualClock(), hasher: nodeHasher },
      { id: script.id },
      toolCall(),
    );
    assert.deepEqual(answer.structuredContent, { ...script, ...expected });
  });

test('lists every conflict of a long script once, in pages with the text on the first', async () => {
  const engine = new FakeEngine();
  const conflicts = Array.from({ length: 400 }, (_, line) => ({ ...conflict, line, disk: 'x'.repeat(200) }));
  engine.merge = { ...script, merge: { text: 'whole', conflicts } };
  const deps = { engine, clock: new ManualClock(), hasher: nodeHasher };
  const ask = async (query: object) => {
    const { content, structuredContent } = await getMerge.call(deps, { id: script.id, ...query }, toolCall());
    const size = Buffer.byteLength(content[0].text + JSON.stringify(structuredContent));
    assert.ok(size <= 8_000 * 2.5, `${size} bytes`);
    return structuredContent as {
      text?: string;
      conflicts: readonly { line: number }[];
      page: { total: number; from: number; cursor?: string };
      error?: { code: string };
    };
  };
  const seen: number[] = [];
  let cursor: string | undefined;
  do {
    const answer = await ask(cursor === undefined ? {} : { cursor });
    assert.deepEqual(
      [answer.page.total, answer.page.from, answer.text],
      [400, seen.length, seen.length === 0 ? 'whole' : undefined],
    );
    seen.push(...answer.conflicts.map(({ line }) => line));
    cursor = answer.page.cursor;
  } while (cursor !== undefined);
  assert.deepEqual(
    seen,
    conflicts.map(({ line }) => line),
  );
  const first = await ask({ limit: 3 });
  assert.equal(first.conflicts.length, 3);
  engine.merge = { ...engine.merge, diskHash: 'c'.repeat(40) };
  assert.equal((await ask({ cursor: first.page.cursor })).error?.code, 'INVALID_INPUT');
});
