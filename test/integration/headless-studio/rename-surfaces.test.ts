import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type ElicitRequestFormParams, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { nodeClock } from '../../../src/adapters/node/clock.ts';
import { showReviews } from '../../../src/cli/review/show-review.ts';
import type { ReviewFromPlugin, ReviewShown } from '../../../src/protocol/studio/review.ts';
import type { ReviewChannel } from '../../../src/studio/studio-link.ts';
import { followReviewsInStudio } from '../../../src/sync/review/studio-window.ts';
import { FakeTerminal } from '../../harness/fake-terminal.ts';
import { type HeadlessWorld, startHeadlessWorld } from '../../harness/headless-world.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { until } from '../../harness/until.ts';

const files = {
  'default.project.json': JSON.stringify({
    name: 'Game',
    tree: { $className: 'DataModel', ServerStorage: { $path: 'src' } },
  }),
  'src/A.luau': 'return "a"',
  'src/A.meta.json': '{"attributes": {"kept": true}}',
};

/** A world whose two sides were equal before the script was renamed in Studio. */
async function startRenamed(): Promise<HeadlessWorld> {
  await using stack = new AsyncDisposableStack();
  const world = stack.use(await startHeadlessWorld(files));
  assert.equal((await world.decide()).status, 'success');
  await world.lua('game.ServerStorage.A.Name = "B"');
  stack.move();
  return world;
}

async function assertRenamed(world: HeadlessWorld): Promise<void> {
  assert.deepEqual(
    world.bridge.disk.paths().filter(path => path.startsWith('src/')),
    ['src/B.luau', 'src/B.meta.json'],
  );
  assert.equal((await world.sync({ mode: 'fastfail' })).status, 'empty');
}

test('shows a rename in the terminal as one row, and renames the files with a pull', { timeout: 60_000 }, async () => {
  await using world = await startRenamed();
  const terminal = new FakeTerminal();
  const run = world.bridge.engine.start({ mode: 'manual', overrides: [], requestedBy: 'CLI', canDecide: true });
  const shown = showReviews(run, terminal);
  await terminal.shows(/1 change, /);
  assert.match(terminal.text, /^> Both {3}ServerStorage\/A \(ModuleScript\) +Pull/m);
  assert.match(terminal.text, /^File: src\/A\.luau\. Pull renames it to src\/B\.luau$/m);
  assert.match(terminal.text, /^Name\. In Studio: "B"\. On disk: "A"$/m);
  terminal.press('l', 'a');
  assert.equal((await run.result).status, 'success');
  await shown;
  await assertRenamed(world);
});

test('shows a rename in the forms of a client with both names and the new file', { timeout: 60_000 }, async () => {
  await using world = await startRenamed();
  const forms: ElicitRequestFormParams[] = [];
  const client = new Client({ name: 'agent', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    forms.push(params as ElicitRequestFormParams);
    return { action: 'accept', content: { decision: forms.length === 1 ? 'again' : 'apply', change1: 'pull' } };
  });
  const headers = { Authorization: `Bearer ${world.bridge.token}` };
  const transport = new StreamableHTTPClientTransport(new URL(world.bridge.mcpUrl), { requestInit: { headers } });
  await client.connect(transport as Transport);
  const { structuredContent } = await client.callTool({ name: 'atlas_sync', arguments: { mode: 'manual' } });
  await client.close();
  assert.equal((structuredContent as { status: string }).status, 'success', JSON.stringify(structuredContent));
  const field = forms[1]?.requestedSchema.properties['change1'];
  const description = (field as { description?: string } | undefined)?.description ?? '';
  assert.match(description, /File: src\/A\.luau\. Pull renames it to src\/B\.luau\./);
  assert.match(forms[0]?.message ?? '', /- ServerStorage\/A: Pull: .*\. Pull renames it to src\/B\.luau\.$/m);
  assert.doesNotMatch(JSON.stringify(forms), /Ctrl\+/);
  assert.match(description, /Name\. In Studio: "B"\. On disk: "A"\./);
  await assertRenamed(world);
});

test('shows a rename in the window of Studio, where a press renames the files', { timeout: 60_000 }, async () => {
  await using world = await startRenamed();
  const shown: ReviewShown[] = [];
  const pressed = new Set<(message: ReviewFromPlugin) => void>();
  const review: ReviewChannel = {
    send: message => void (message.type === 'review' && shown.push(message)),
    onMessage(listener) {
      pressed.add(listener);
      return { [Symbol.dispose]: () => pressed.delete(listener) };
    },
  };
  const { engine, studios } = world.bridge;
  // Headless Studio has no windows, so the channel to its window is the test's.
  const withWindow = {
    all: () => studios.all().map(link => Object.create(link, { review: { value: review } }) as typeof link),
    onDidChange: studios.onDidChange.bind(studios),
  };
  using _window = followReviewsInStudio(engine, withWindow, { clock: nodeClock, log: memoryLog() });
  const run = engine.start({ mode: 'manual', overrides: [], requestedBy: 'test', canDecide: true });
  await until(() => shown.some(({ canApply }) => canApply));
  const { runId, revision, rows } = shown.findLast(({ canApply }) => canApply) ?? assert.fail();
  assert.equal(rows.length, 1);
  assert.equal(rows[0]?.title, 'Changed ServerStorage/A (ModuleScript)');
  const details = rows[0].details.join('\n');
  assert.match(details, /^File: src\/A\.luau\. Pull renames it to src\/B\.luau$/m);
  assert.match(details, /^Name\. In Studio: "B"\. On disk: "A"$/m);
  for (const press of pressed) press({ type: 'reviewDecision', runId, revision, decision: 'apply' });
  assert.equal((await run.result).status, 'success');
  await assertRenamed(world);
});
