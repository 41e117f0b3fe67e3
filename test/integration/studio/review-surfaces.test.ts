import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { showReviews } from '../../../src/cli/review/show-review.ts';
import type { ReviewControl, ReviewSurface } from '../../../src/ports/review-surface.ts';
import type { ReviewShown } from '../../../src/protocol/studio/review.ts';
import { FakeTerminal } from '../../harness/fake-terminal.ts';
import { callTool } from '../../harness/mcp-client.ts';
import { startBridge } from '../../harness/start-bridge.ts';
import { until } from '../../harness/until.ts';

const files = {
  'default.project.json': JSON.stringify({
    name: 'harbor',
    tree: { $className: 'DataModel', ServerScriptService: { $path: 'src' } },
  }),
  'src/Dock.luau': 'return "disk"\n',
};
const place = {
  ServerScriptService: { className: 'ServerScriptService' },
  'ServerScriptService/Dock': { className: 'ModuleScript', source: 'return "Studio"\n' },
};
const capabilities = ['acknowledgedApply', 'stableIds', 'requestIds', 'otherTrees', 'merges', 'review'];

/** One review of one change, which an agent requested, in all four surfaces at the same time. */
async function showEverywhere() {
  await using stack = new AsyncDisposableStack();
  let inEditor: ReviewControl | undefined;
  const reviewSurface: ReviewSurface = {
    async show(review) {
      inEditor = review;
    },
  };
  const bridge = stack.use(await startBridge(files, { reviewSurface }));
  const studio = stack.use(await bridge.connectStudio(place, { capabilities }));
  const client = new Client({ name: 'agent', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  const form = Promise.withResolvers<ElicitResult>();
  const state = { isFormOpen: false };
  client.setRequestHandler(ElicitRequestSchema, (_request, { signal }) => {
    state.isFormOpen = true;
    signal.addEventListener('abort', () => {
      state.isFormOpen = false;
    });
    return form.promise;
  });
  const headers = { Authorization: `Bearer ${bridge.token}` };
  const transport = new StreamableHTTPClientTransport(new URL(bridge.mcpUrl), { requestInit: { headers } });
  await client.connect(transport as Transport);
  stack.defer(() => client.close());
  const { answer: seen } = await callTool(client, 'atlas_sync', { mode: 'dryrun', summary: true });
  const { digest } = seen['page'] as { digest: string };
  const overrides = [{ direction: 'push', patchType: 'Edit', digest }];
  const answer = callTool(client, 'atlas_sync', { mode: 'manual', overrides });
  await until(() => bridge.engine.current()?.review() !== undefined);
  const terminal = new FakeTerminal();
  const run = bridge.engine.current() ?? assert.fail();
  const terminalEnd = showReviews(run, terminal);
  const frameOf = (type: string) => studio.frames.findLast(frame => frame.type === type);
  await terminal.shows(/1 change, /);
  await until(() => state.isFormOpen && inEditor !== undefined && frameOf('review') !== undefined);
  const owned = stack.move();
  return {
    answer,
    decide: {
      form: (decision: 'apply' | 'reject') => form.resolve({ action: 'accept', content: { decision } }),
      terminal: (decision: 'apply' | 'reject') => terminal.press(decision === 'apply' ? 'a' : 'r'),
      studio(decision: 'apply' | 'reject') {
        const { runId, revision } = frameOf('review') as unknown as ReviewShown;
        studio.studio.sendRaw({ type: 'reviewDecision', runId, revision, decision });
      },
      editor(decision: 'apply' | 'reject') {
        const review = inEditor ?? assert.fail();
        review[decision](review.status().revision);
      },
    },
    /** Waits until the surfaces other than `winner` have closed. */
    async othersClosed(winner: string) {
      await terminalEnd;
      assert.equal(terminal.isOpen, false);
      await until(() => frameOf('reviewClosed') !== undefined);
      assert.equal(inEditor?.status().phase, 'ended');
      if (winner !== 'form') await until(() => !state.isFormOpen);
      form.resolve({ action: 'cancel' });
    },
    sourceInStudio: () => studio.studio.place.get('ServerScriptService/Dock')?.source,
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}

for (const winner of ['form', 'terminal', 'studio', 'editor'] as const)
  for (const decision of ['apply', 'reject'] as const)
    test(`closes the other surfaces when the ${winner} is first to ${decision}`, { timeout: 60_000 }, async () => {
      await using shown = await showEverywhere();
      shown.decide[winner](decision);
      const { answer } = await shown.answer;
      assert.equal(answer['status'], decision === 'apply' ? 'success' : 'rejected', JSON.stringify(answer));
      await shown.othersClosed(winner);
    });

test('applies exactly one decision when all surfaces answer at the same time', { timeout: 60_000 }, async () => {
  await using shown = await showEverywhere();
  shown.decide.studio('apply');
  shown.decide.form('reject');
  shown.decide.terminal('apply');
  assert.throws(() => shown.decide.editor('reject'), { code: 'REVIEW_REFUSED' });
  const { answer } = await shown.answer;
  // The messages of Studio and of the client are still on their way when the key is pressed.
  assert.equal(answer['status'], 'success', JSON.stringify(answer));
  assert.equal(shown.sourceInStudio(), 'return "disk"\n');
  await shown.othersClosed('all');
});
