import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type ElicitRequestFormParams,
  ElicitRequestSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { HostPorts } from '../../../src/app/app.ts';
import type { ReviewControl } from '../../../src/ports/review-surface.ts';
import type { Settings } from '../../../src/ports/settings.ts';
import type { LoadPlutoToolset } from '../../../src/pluto/tools/pluto-toolset.ts';
import { containerOf, textInContainer } from '../../harness/pluto-container.ts';
import { callTool } from '../../harness/mcp-client.ts';
import { defaultSettings } from '../../harness/default-settings.ts';
import { loadPlutoToolset, loadWorkerToolset } from '../../harness/load-pluto.ts';
import { startBridge, type TestBridge } from '../../harness/start-bridge.ts';
import { until } from '../../harness/until.ts';

const text = 'fn one() {\n    print(0)\n}\n\nfn two() {\n    print(0)\n}\n';

/** A folder without a project, with a container and its view, which both changed `one`. */
async function bothMoved(
  load: LoadPlutoToolset,
  changed: Partial<Settings> = {},
  ports: Partial<HostPorts> = {},
): Promise<TestBridge & { readonly shown: ReviewControl[] }> {
  const shown: ReviewControl[] = [];
  const reviewSurface = { show: async (review: ReviewControl) => void shown.push(review) };
  const settings = defaultSettings(changed);
  const bridge = await startBridge(
    { 'a.pluto': containerOf(text) },
    { loadPluto: load, reviewSurface, settings, ...ports },
  );
  await bridge.call('generate_pt', { path: 'a.pluto' });
  bridge.disk.set('a.pt', (bridge.disk.text('a.pt') ?? '').replace('print(0)', 'print(1)'));
  const { answer } = await bridge.call('find_declaration', { name: 'one' });
  const [found] = answer['result'] as readonly { readonly id: string }[];
  await bridge.call('replace_declaration', { id: found?.id, source: 'fn one() {\n    print(2)\n}' });
  await bridge.call('save');
  return Object.assign(bridge, { shown });
}
const moduleText = (bridge: TestBridge): string => {
  const bytes = bridge.disk.copy()['a.pluto'];
  assert.ok(bytes instanceof Uint8Array);
  return textInContainer(bytes);
};
const decide = async (bridge: { readonly shown: ReviewControl[] }, choice: 'push' | 'pull'): Promise<void> => {
  await until(() => bridge.shown.length > 0);
  const review = bridge.shown.at(-1);
  assert.ok(review !== undefined);
  review.choose(
    review.snapshot().rows.map(({ id }) => id),
    choice,
  );
  review.apply(review.status().revision);
};

/** Syncs with an override that takes the `.pt` and quotes the digest to discard. */
async function takePt(bridge: TestBridge, { mode = 'fastfail', hasNoDigest = false } = {}) {
  const listed = await bridge.call('sync_pt', { path: 'a.pt' });
  const [change] = listed.answer['changes'] as readonly { readonly id: string; readonly pluto_digest: string }[];
  const override = { id: change?.id, take: 'pt', ...(!hasNoDigest && { digest: change?.pluto_digest }) };
  const { isError, answer } = await bridge.call('sync_pt', { path: 'a.pt', mode, overrides: [override] });
  const [verdict] = answer['overrides'] as readonly { readonly verdict: string; readonly reason?: string }[];
  return { isError, ...answer, verdict: verdict?.verdict, reason: verdict?.reason } as Record<string, unknown>;
}

for (const [where, load] of [
  ['', loadPlutoToolset],
  [' (worker)', loadWorkerToolset],
] as const) {
  test(`lists unresolved changes, and waits for a person in standard mode${where}`, async () => {
    await using bridge = await bothMoved(load);
    const listed = await bridge.call('sync_pt', { path: 'a.pt' });
    assert.ok(listed.isError);
    const [change] = listed.answer['changes'] as readonly Record<string, unknown>[];
    assert.deepEqual([change?.['name'], change?.['take'], change?.['why']], ['one', null, 'both']);
    assert.match(String(change?.['pluto_digest']), /^[0-9a-f]{12}$/);

    const asked = bridge.call('sync_pt', { path: 'a.pt', mode: 'standard' });
    await decide(bridge, 'pull');
    const { isError, answer } = await asked;
    assert.ok(!isError);
    assert.deepEqual([answer['status'], answer['outcome']], ['synced', 'done']);
    assert.match(moduleText(bridge), /print\(2\)/);
    assert.match(bridge.disk.text('a.pt') ?? '', /print\(2\)/);
  });

  test(`joins the open review without overrides, and is refused with overrides${where}`, async () => {
    await using bridge = await bothMoved(load);
    const first = bridge.call('sync_pt', { path: 'a.pt', mode: 'manual' });
    await until(() => bridge.shown.length > 0);
    const second = bridge.call('sync_pt', { path: 'a.pt', mode: 'manual' });
    const other = await bridge.call('sync_pt', { path: 'a.pt', mode: 'manual', overrides: [{ id: 'x', take: 'pt' }] });
    assert.equal((other.answer['error'] as { code: string }).code, 'PLUTO_EDIT_REFUSED');
    const [review] = bridge.shown;
    review?.reject(review.status().revision);
    const answers = await Promise.all([first, second]);
    assert.deepEqual(
      answers.map(({ answer }) => answer['status']),
      ['rejected', 'rejected'],
    );
    assert.equal(bridge.shown.length, 1);
  });

  test(`restores replaced files from the journal in a folder without a project${where}`, async () => {
    await using bridge = await bothMoved(load);
    const before = bridge.disk.text('a.pt');
    const asked = bridge.call('sync_pt', { path: 'a.pt', mode: 'standard' });
    await decide(bridge, 'pull');
    await asked;
    assert.notEqual(bridge.disk.text('a.pt'), before);
    const [recorded] = await bridge.engine.history(1);
    assert.equal(recorded?.summary, 'Recorded a.pluto and a.pt before syncing 1 declaration.');
    bridge.shown.length = 0;
    const restoring = bridge.engine.start({
      mode: 'manual',
      overrides: [],
      requestedBy: 'you',
      restore: { runId: recorded?.runId ?? '', side: 'disk' },
    });
    await decide(bridge, 'pull');
    assert.equal((await restoring.result).status, 'success');
    assert.equal(bridge.disk.text('a.pt'), before);
  });

  test(`[atlas.overrides.approval] declines overrides of a .pt when set to never${where}`, async () => {
    await using bridge = await bothMoved(load, { overridesApproval: () => 'never' });
    const declined = await takePt(bridge);
    assert.deepEqual(
      [declined['isError'], declined['status'], declined['verdict'], declined['reason']],
      [true, 'unresolved', 'declined', 'atlas.overrides.approval is "never"'],
    );
    assert.match(moduleText(bridge), /print\(2\)/);
    const asked = takePt(bridge, { mode: 'standard' });
    await until(() => bridge.shown.length > 0);
    assert.deepEqual(
      bridge.shown[0]?.snapshot().rows.map(row => [row.choice, row.override?.verdict]),
      [[null, 'declined']],
    );
    await decide(bridge, 'push');
    assert.deepEqual((await asked)['status'], 'synced');
    assert.match(moduleText(bridge), /print\(1\)/);
  });

  test(`[atlas.overrides.approval] preselects overrides of a .pt when set to ask${where}`, async () => {
    await using bridge = await bothMoved(load, { overridesApproval: () => 'ask' });
    const unasked = await takePt(bridge);
    assert.deepEqual([unasked['status'], unasked['verdict'], bridge.shown.length], ['unresolved', 'accepted', 0]);
    assert.match(String(unasked['summary']), /atlas\.overrides\.approval is "ask".* mode "standard"/);
    assert.match(moduleText(bridge), /print\(2\)/);
    const asked = takePt(bridge, { mode: 'standard' });
    await until(() => bridge.shown.length > 0);
    const [review] = bridge.shown;
    assert.deepEqual(
      review?.snapshot().rows.map(row => [row.choice, row.override?.verdict]),
      [['push', 'accepted']],
    );
    review?.apply(review.status().revision);
    assert.equal((await asked)['status'], 'synced');
    assert.match(moduleText(bridge), /print\(1\)/);
  });

  test(`[atlas.overrides.requirePrecondition] requires a digest for an override of a .pt${where}`, async () => {
    await using bridge = await bothMoved(load, { overridesRequirePrecondition: () => true });
    const bare = await takePt(bridge, { hasNoDigest: true });
    assert.deepEqual([bare['status'], bare['verdict']], ['unresolved', 'precondition_missing']);
    assert.match(moduleText(bridge), /print\(2\)/);
    assert.deepEqual((await takePt(bridge))['status'], 'synced');
    assert.match(moduleText(bridge), /print\(1\)/);
  });
}

/** A client that answers forms, and a bridge without VS Code. */
async function withForms(answers: readonly ElicitResult[], mode: 'standard' | 'manual') {
  await using ends = new AsyncDisposableStack();
  const bridge = ends.use(await bothMoved(loadPlutoToolset, {}, { reviewSurface: undefined }));
  const forms: ElicitRequestFormParams[] = [];
  const client = new Client({ name: 'agent', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    forms.push(params as ElicitRequestFormParams);
    return answers[forms.length - 1] ?? { action: 'cancel' };
  });
  const transport = new StreamableHTTPClientTransport(new URL(bridge.mcpUrl), {
    requestInit: { headers: { Authorization: `Bearer ${bridge.token}` } },
  });
  await client.connect(transport as Transport);
  ends.defer(() => client.close());
  const { answer } = await callTool(client, 'sync_pt', { path: 'a.pt', mode });
  return { answer, forms, text: moduleText(bridge) };
}

test('decides a .pt with forms of the client, without VS Code', async () => {
  const accept = (content: Record<string, string>): ElicitResult => ({ action: 'accept', content });
  const {
    answer,
    forms,
    text: written,
  } = await withForms([accept({ change1: 'push' }), accept({ decision: 'apply' })], 'standard');
  assert.equal(answer['status'], 'synced', JSON.stringify(answer));
  assert.match(written, /print\(1\)/);
  assert.match(JSON.stringify(forms[0]), /Overwrite the \.pluto file with the \.pt file\./);
});

test('changes nothing when the person declines or closes the form of a .pt', async () => {
  const declined = await withForms([{ action: 'decline' }], 'manual');
  assert.equal(declined.answer['status'], 'rejected');
  const closed = await withForms([], 'manual');
  assert.equal((closed.answer['error'] as { readonly code?: string } | undefined)?.code, 'CANCELLED');
  assert.match(closed.text, /print\(2\)/);
});
