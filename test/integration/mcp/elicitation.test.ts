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
import { announcedBridges } from '../../../src/adapters/node/announced-bridges.ts';
import type { ReviewSurface } from '../../../src/ports/review-surface.ts';
import { connectFakeStudio } from '../../harness/connect-fake-studio.ts';
import { callTool } from '../../harness/mcp-client.ts';
import { mcpWorld } from '../../harness/mcp-world.ts';
import { startBridge, type TestBridge } from '../../harness/start-bridge.ts';
import { until } from '../../harness/until.ts';

type Person = (
  form: ElicitRequestFormParams,
  index: number,
  signal: AbortSignal,
) => ElicitResult | Promise<ElicitResult>;

const project = (parts: readonly string[]): string =>
  JSON.stringify({
    name: 'harbor',
    tree: {
      $className: 'DataModel',
      Workspace: {
        $className: 'Workspace',
        $ignoreUnknownInstances: false,
        ...Object.fromEntries(parts.map(name => [name, { $className: 'Part' }])),
      },
    },
  });
const place = { Workspace: { className: 'Workspace' } };
const accept = (content: Record<string, string>): ElicitResult => ({ action: 'accept', content });

/** A client whose person answers forms. */
function clientOf(person: Person, name = 'agent') {
  const forms: ElicitRequestFormParams[] = [];
  const client = new Client({ name, version: '1' }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => {
    forms.push(params as ElicitRequestFormParams);
    return person(params as ElicitRequestFormParams, forms.length - 1, signal);
  });
  return { client, forms };
}

async function connect(bridge: TestBridge, client: Client): Promise<AsyncDisposable> {
  const transport = new StreamableHTTPClientTransport(new URL(bridge.mcpUrl), {
    requestInit: { headers: { Authorization: `Bearer ${bridge.token}` } },
  });
  await client.connect(transport as Transport);
  return { [Symbol.asyncDispose]: () => client.close() };
}

const optionsOf = (form: ElicitRequestFormParams | undefined, name: string): readonly string[] => {
  const field = form?.requestedSchema.properties[name] as { oneOf?: readonly { const: string }[] } | undefined;
  return field?.oneOf?.map(one => one.const) ?? [];
};

test('decides an undecided sync with forms of the client, without VS Code', async () => {
  await using bridge = await startBridge({ 'default.project.json': project(['Lamp']) });
  await using studio = await bridge.connectStudio(place);
  const { client, forms } = clientOf((_form, index) =>
    accept(index === 0 ? { change1: 'push' } : { decision: 'apply' }),
  );
  await using _ = await connect(bridge, client);
  const { answer } = await callTool(client, 'atlas_sync');
  assert.equal(answer['status'], 'success', JSON.stringify(answer));
  assert.equal(forms.length, 2);
  assert.match(
    forms[0]!.message,
    /^Baseplate: Requested by agent\. Nothing changes until you press Apply\.\n1 undecided\.$/,
  );
  assert.deepEqual(optionsOf(forms[0], 'change1'), ['push', 'pull', 'skip']);
  const field = forms[0]!.requestedSchema.properties['change1'];
  assert.match(JSON.stringify(field), /Workspace\/Lamp \(Part\)\. Only on disk: Studio does not have it\./);
  assert.match(JSON.stringify(field), /"title":"Push: create it in Studio\."/);
  assert.match(JSON.stringify(field), /does not have it\. No suggestion \(/);
  assert.match(forms[1]!.message, /Studio: 1 new\./);
  assert.ok(JSON.stringify(studio.studio.commands).includes('apply'));
});

test('rejects the sync when a person declines, and cancels it when the form is closed', async () => {
  for (const [action, status] of [
    ['decline', 'rejected'],
    ['cancel', 'cancelled'],
  ] as const) {
    await using bridge = await startBridge({ 'default.project.json': project(['Lamp']) });
    await using _studio = await bridge.connectStudio(place);
    const { client } = clientOf(() => ({ action }));
    await using _ = await connect(bridge, client);
    assert.equal((await callTool(client, 'atlas_sync')).answer['status'], status);
  }
});

test('asks again when a change was modified after it was shown', async () => {
  await using bridge = await startBridge({ 'default.project.json': project(['Lamp']) });
  await using _studio = await bridge.connectStudio(place);
  const { client, forms } = clientOf(async (form, index) => {
    if (index === 0) {
      const review = bridge.engine.current()!.review()!;
      const [row] = review.snapshot().rows;
      const tree = {
        $className: 'DataModel',
        Workspace: { $className: 'Workspace', Lamp: { $className: 'SpotLight' } },
      };
      bridge.disk.set('default.project.json', JSON.stringify({ name: 'harbor', tree }));
      await until(() => review.snapshot().rows[0]!.className === 'SpotLight' || review.version(row!.id) === undefined);
    }
    return optionsOf(form, 'change1').length > 0 ? accept({ change1: 'push' }) : accept({ decision: 'reject' });
  });
  await using _ = await connect(bridge, client);
  assert.equal((await callTool(client, 'atlas_sync')).answer['status'], 'rejected');
  assert.match(forms[0]!.message, /1 undecided\./);
  assert.match(forms[1]!.message, /1 undecided\./);
  assert.match(JSON.stringify(forms[1]!.requestedSchema), /SpotLight/);
});

test('decides many changes together or five at a time, but each deletion individually', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `Part${index}`);
  await using bridge = await startBridge({ 'default.project.json': project(names) });
  await using _studio = await bridge.connectStudio({
    Workspace: { className: 'Workspace' },
    'Workspace/Extra': { className: 'Folder' },
  });
  const { client, forms } = clientOf((form, index) => {
    if (index === 0) return accept({ decision: 'push' });
    return optionsOf(form, 'change1').length > 0 ? accept({ change1: 'pull' }) : accept({ decision: 'apply' });
  });
  await using _ = await connect(bridge, client);
  const { answer } = await callTool(client, 'atlas_sync');
  assert.deepEqual(optionsOf(forms[0], 'decision'), ['each', 'defaults', 'push', 'pull', 'skip', 'reject']);
  assert.match(forms[0]!.message, /and 8 more/);
  assert.match(JSON.stringify(forms[1]!.requestedSchema), /Extra/);
  assert.equal(Object.keys(forms[1]!.requestedSchema.properties).length, 1);
  assert.match(forms[2]!.message, /Studio: 12 new\. Disk: 1 new\./);
  assert.ok(['success', 'partial'].includes(String(answer['status'])), JSON.stringify(answer));
});

test('uses the first decision of form and window, and closes the other', async () => {
  for (const first of ['window', 'form'] as const) {
    let isClosed = false;
    const phases: string[] = [];
    const shown = Promise.withResolvers<void>();
    const reviewSurface: ReviewSurface = {
      async show(review) {
        review.setShownIn('window');
        review.onDidChange(({ status }) => phases.push(status.phase));
        void shown.promise.then(() => {
          if (first === 'window') review.reject(review.status().revision);
        });
      },
    };
    await using bridge = await startBridge({ 'default.project.json': project(['Lamp']) }, { reviewSurface });
    await using _studio = await bridge.connectStudio(place);
    const { client } = clientOf((_form, _index, signal) => {
      shown.resolve();
      if (first === 'form') return { action: 'decline' };
      return new Promise(resolve => {
        signal.addEventListener('abort', () => {
          isClosed = true;
          resolve({ action: 'cancel' });
        });
      });
    });
    await using _ = await connect(bridge, client);
    assert.equal((await callTool(client, 'atlas_sync')).answer['status'], 'rejected', first);
    if (first === 'window') await until(() => isClosed);
    else assert.ok(phases.includes('ended'));
  }
});

test('shows no form in the editor whose window shows the review', async () => {
  const reviewSurface: ReviewSurface = {
    async show(review) {
      review.setShownIn('window');
      setTimeout(() => review.reject(review.status().revision), 6_000);
    },
  };
  await using bridge = await startBridge({ 'default.project.json': project(['Lamp']) }, { reviewSurface });
  await using _studio = await bridge.connectStudio(place);
  const { client, forms } = clientOf(() => accept({}), 'Visual Studio Code');
  await using _ = await connect(bridge, client);
  assert.equal((await callTool(client, 'atlas_sync')).answer['status'], 'rejected');
  assert.equal(forms.length, 0);
});

test('decides a restore with forms', async () => {
  await using bridge = await startBridge({ 'default.project.json': project(['Lamp']) });
  await using _studio = await bridge.connectStudio(place);
  const answers = [{ change1: 'push' }, { decision: 'apply' }, { decision: 'apply' }];
  const { client, forms } = clientOf((_form, index) => accept(answers[index] ?? { decision: 'apply' }));
  await using _ = await connect(bridge, client);
  const { answer } = await callTool(client, 'atlas_sync');
  const restored = await callTool(client, 'sync_restore', { runId: answer['runId'], side: 'studio' });
  assert.notEqual((restored.answer['error'] as { code?: string } | undefined)?.code, 'REVIEW_UNAVAILABLE');
  assert.ok(forms.length > 2, JSON.stringify(restored.answer));
});

test('answers REVIEW_UNAVAILABLE without VS Code for a client without forms', async () => {
  await using bridge = await startBridge({ 'default.project.json': project(['Lamp']) });
  await using _studio = await bridge.connectStudio(place);
  const { answer } = await bridge.call('atlas_sync');
  assert.equal((answer['error'] as { code: string }).code, 'REVIEW_UNAVAILABLE');
});

test('decides through atlas-bridge mcp over stdio', async () => {
  await using here = await mcpWorld({ 'game/default.project.json': project(['Lamp']) });
  const { client, forms } = clientOf((_form, index) =>
    accept(index === 0 ? { change1: 'push' } : { decision: 'apply' }),
  );
  await here.start(client, []);
  await client.listTools();
  const [bridge] = await announcedBridges(here.state);
  await using _studio = await connectFakeStudio(new URL(bridge!.mcpUrl).origin, place, {}, await here.studioKey());
  const { answer } = await callTool(client, 'atlas_sync');
  assert.equal(answer['status'], 'success', JSON.stringify(answer));
  assert.equal(forms.length, 2);
});
