import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { ToolResult } from '../../../../src/mcp/result.ts';
import type { RecordedRun } from '../../../../src/protocol/history.ts';
import { reasonOf } from '../../../../src/protocol/reason.ts';
import type { RecordedResult } from '../../../../src/protocol/run-result.ts';
import { operationGet } from '../../../../src/sync/tools/operation-get.ts';
import { operationWait } from '../../../../src/sync/tools/operation-wait.ts';
import { syncHistory } from '../../../../src/sync/tools/sync-history.ts';
import { FakeEngine } from '../../../harness/fake-engine.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { toolCall } from '../../../harness/tool-call.ts';

/** 8,000 tokens, for the text and the structured content together. */
const MAX_BYTES = 8_000 * 2.5;

const recordedRun = (runId: string, count: number): RecordedResult => ({
  runId,
  at: '2026-01-01T00:00:00.000Z',
  requestedBy: 'Copilot',
  mode: 'standard',
  place: { name: 'Baseplate', placeId: 7 },
  status: 'partial',
  summary: 'Partly.',
  changeCount: count,
  changes: Array.from({ length: count }, (_, index) => ({
    id: String(index).padStart(32, '0'),
    path: `ServerScriptService/Area${index % 7}/Script${String(index).padStart(4, '0')}`,
    className: 'Script',
    sides: ['studio'],
    patchType: index % 3 === 0 ? 'Add' : 'Edit',
    choice: index % 2 === 0 ? 'push' : 'pull',
    fsPath: `src/Area${index % 7}/Script${index}.server.luau`,
    ...(index === count - 1 ? { outcome: 'failed' as const, reason: reasonOf('disk_changed') } : {}),
  })),
});

function start(...runs: readonly RecordedResult[]) {
  const engine = new FakeEngine();
  engine.recordedRuns.push(...runs);
  const deps = { clock: new ManualClock(), engine, hasher: nodeHasher };
  const within = ({ content, structuredContent }: ToolResult): ToolResult['structuredContent'] => {
    const size = Buffer.byteLength(content[0].text + JSON.stringify(structuredContent));
    assert.ok(size <= MAX_BYTES, `${size} bytes`);
    return structuredContent;
  };
  const tools = {
    history: async (query: object) => within(await syncHistory.call(deps, query, toolCall())),
    get: async (query: object) => {
      const { recorded } = within(await operationGet.call(deps, { operationId: 'old', ...query }, toolCall()));
      return { runs: [recorded] };
    },
    wait: async (query: object) => {
      const { recorded } = within(await operationWait.call(deps, { operationId: 'old', ...query }, toolCall()));
      return { runs: [recorded] };
    },
  };
  return { deps, tools };
}

const only = (answer: Record<string, unknown>): RecordedRun => {
  const [run] = answer['runs'] as RecordedRun[];
  assert.ok(run !== undefined);
  return run;
};

for (const tool of ['history', 'get', 'wait'] as const)
  test(`lists every change of a recorded run once, in pages of ${tool} within the budget`, async () => {
    const { tools } = start(recordedRun('old', 300));
    const base = tool === 'history' ? { runId: 'old' } : {};
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const answer = await tools[tool]({ ...base, ...(cursor === undefined ? {} : { cursor }) });
      const { changes, page, changeCount } = only(answer);
      assert.deepEqual([changeCount, page?.total, page?.from], [300, 300, seen.length]);
      // Changes that need attention come first, in words.
      if (seen.length === 0) assert.match(changes[0]?.reason ?? '', /changed on disk since the comparison/);
      seen.push(...changes.map(({ id }) => id));
      cursor = page?.cursor;
    } while (cursor !== undefined);
    assert.equal(new Set(seen).size, 300);
    assert.equal(seen.length, 300);
  });

test('filters and limits the changes of a recorded run', async () => {
  const { tools } = start(recordedRun('old', 300));
  const filtered = only(
    await tools.history({ runId: 'old', under: 'ServerScriptService/Area3', patchType: 'Add', limit: 2 }),
  );
  assert.equal(filtered.changes.length, 2);
  assert.ok(filtered.changes.every(({ path, patchType }) => path.includes('/Area3/') && patchType === 'Add'));
  assert.deepEqual(Object.keys(filtered.page?.folders ?? {}), ['ServerScriptService/Area3']);
  const counts = only(await tools.get({ summary: true }));
  assert.deepEqual([counts.changes, counts.page?.directions], [[], { push: 150, pull: 150 }]);
});

test('pages the list of runs within the budget, each run once', async () => {
  const { tools } = start(...Array.from({ length: 45 }, (_, index) => recordedRun(`run-${index}`, 12)));
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const answer = await tools.history(cursor === undefined ? {} : { cursor });
    seen.push(...(answer['runs'] as RecordedRun[]).map(({ runId }) => runId));
    cursor = answer['cursor'] as string | undefined;
  } while (cursor !== undefined);
  assert.deepEqual(
    seen,
    Array.from({ length: 45 }, (_, index) => `run-${index}`),
  );
});

test('refuses a cursor of another list', async () => {
  const { deps, tools } = start(recordedRun('old', 300), recordedRun('other', 300));
  const { page } = only(await tools.history({ runId: 'old' }));
  for (const query of [{ runId: 'other', cursor: page?.cursor }, { cursor: page?.cursor }, { cursor: 'runs.x' }]) {
    const answer = await syncHistory.call(deps, query, toolCall());
    assert.equal((answer.structuredContent['error'] as { code: string }).code, 'INVALID_INPUT');
  }
});
