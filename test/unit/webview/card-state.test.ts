import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SyncChange, SyncResult } from '../../../src/protocol/sync-result.ts';
import { failure, host, show, showBoth, sources, sync } from '../../../src/webview/card/card-state.ts';
import type { ToolAnswer } from '../../../src/webview/card/host.ts';

const result = { changes: [], overrides: [], summary: 'Done.' } as unknown as SyncResult;
const change = { id: '1', fsPath: null } as SyncChange;
const answerWith = (callTool: () => Promise<ToolAnswer>): void =>
  void (host.value = { callTool, updateContext: () => undefined });

test('drops texts that were requested for a result that is no longer shown', async () => {
  const answer = Promise.withResolvers<ToolAnswer>();
  answerWith(() => answer.promise);
  show({ ...result });
  const reading = showBoth(change);
  show({ ...result });
  answer.resolve({ structuredContent: { source: 'old' } });
  await reading;
  assert.equal(sources.value.size, 0);
  await showBoth(change);
  assert.equal(sources.value.get('1')?.studio, 'old');
});

test('always shows why a sync has no result', async () => {
  for (const [structuredContent, text] of [
    [{ summary: 'Studio is not connected.' }, 'Studio is not connected.'],
    [{ error: { code: 'TOOL_INPUT', message: 'The input is invalid.' } }, 'The input is invalid.'],
    [undefined, 'The sync failed without a result.'],
  ] as const) {
    answerWith(async () => ({ isError: true, structuredContent }));
    await sync('fastfail');
    assert.equal(failure.value, text);
  }
});
