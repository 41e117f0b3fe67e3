import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReviewControl } from '../../../src/ports/review-surface.ts';
import type { ReviewShown, ReviewText } from '../../../src/protocol/studio/review.ts';
import type { ConnectedStudio } from '../../harness/connect-fake-studio.ts';
import { startBridge } from '../../harness/start-bridge.ts';
import { until } from '../../harness/until.ts';

const files = {
  'default.project.json': JSON.stringify({
    name: 'harbor',
    tree: { $className: 'DataModel', ServerScriptService: { $path: 'src' } },
  }),
  'src/Dock.luau': 'return "disk"\n',
  'src/Pier.luau': 'return "disk"\n',
};
const script = (source: string) => ({ className: 'ModuleScript', source });
const place = {
  ServerScriptService: { className: 'ServerScriptService' },
  'ServerScriptService/Dock': script('return "Studio"\n'),
  'ServerScriptService/Pier': script('return "Studio"\n'),
  'ServerScriptService/Lost': script('return "only here"\n'),
};
const capabilities = ['acknowledgedApply', 'stableIds', 'requestIds', 'otherTrees', 'merges', 'review'];

const shownBy = ({ frames }: ConnectedStudio): ReviewShown | undefined =>
  frames.findLast(({ type }) => type === 'review') as ReviewShown | undefined;
const isClosed = ({ frames }: ConnectedStudio): boolean => frames.some(({ type }) => type === 'reviewClosed');

async function opened(changed: Parameters<typeof startBridge>[1] = {}) {
  await using stack = new AsyncDisposableStack();
  const bridge = stack.use(await startBridge(files, changed));
  const connected = stack.use(await bridge.connectStudio(place, { capabilities }));
  const run = bridge.engine.start({ mode: 'manual', overrides: [], requestedBy: 'Copilot' });
  await until(() => shownBy(connected) !== undefined);
  const shown = (): ReviewShown => {
    const found = shownBy(connected);
    assert.ok(found !== undefined);
    return found;
  };
  const row = (name: string) => {
    const found = shown().rows.find(({ title }) => title.includes(`/${name} `));
    assert.ok(found !== undefined, name);
    return found;
  };
  const press = (message: object): void =>
    connected.studio.sendRaw({ runId: run.runId, revision: shown().revision, ...message });
  const owned = stack.move();
  return {
    bridge,
    connected,
    run,
    shown,
    row,
    press,
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}

test('lets a person decide in the window of Studio where no other window is', async () => {
  await using world = await opened();
  const { bridge, connected, run, shown, row, press } = world;
  assert.match(shown().title, /^Review Changes: /);
  assert.match(shown().summary, /Requested by Copilot[\s\S]*3 changes, 3 undecided/);
  assert.deepEqual(row('Dock').choices, ['push', 'pull', 'skip']);
  assert.equal(shown().canApply, false);

  press({ type: 'reviewShowText', id: row('Dock').id });
  await until(() => connected.frames.some(({ type }) => type === 'reviewText'));
  const text = connected.frames.find(({ type }) => type === 'reviewText') as unknown as ReviewText;
  assert.ok(text.lines.includes('- return "Studio"') && text.lines.includes('+ return "disk"'), text.lines.join('\n'));

  press({ type: 'reviewChoice', choice: 'push' });
  await until(() => row('Dock').choice === 'push' && row('Pier').choice === 'push');
  assert.equal(row('Lost').choice, null, 'a deletion is decided individually');
  assert.match(shown().note, /1 deletion was skipped/);
  press({ type: 'reviewChoice', id: row('Pier').id, choice: 'pull' });
  press({ type: 'reviewChoice', id: row('Lost').id, choice: 'skip' });
  await until(() => shown().canApply);
  press({ type: 'reviewDecision', decision: 'apply' });
  assert.equal((await run.result).status, 'success');
  await until(() => isClosed(connected));
  assert.equal(connected.studio.source('ServerScriptService/Dock'), files['src/Dock.luau']);
  assert.equal(bridge.disk.text('src/Pier.luau'), 'return "Studio"\n');
  assert.equal(connected.studio.source('ServerScriptService/Lost'), 'return "only here"\n');
});

test('closes the window of Studio when another one decides, and the other way round', async () => {
  for (const inStudio of [false, true]) {
    let review: ReviewControl | undefined;
    await using world = await opened({ reviewSurface: { show: async shown => void (review = shown) } });
    await until(() => review !== undefined);
    if (inStudio) world.press({ type: 'reviewDecision', decision: 'reject' });
    else review?.reject(review.status().revision);
    assert.equal((await world.run.result).status, 'rejected');
    await until(() => isClosed(world.connected));
    assert.equal(review?.status().phase, 'ended');
  }
});

test('ignores a choice and Apply that were made for an older state of a row', async () => {
  await using world = await opened();
  const { connected, run, shown, row, press } = world;
  press({ type: 'reviewChoice', id: row('Dock').id, choice: 'skip', revision: shown().revision });
  await until(() => row('Dock').choice === 'skip');
  const before = shown().revision;
  connected.studio.edit('ServerScriptService/Dock', 'return "newer"\n');
  world.bridge.engine.current()?.review()?.refresh();
  await until(() => row('Dock').hint.startsWith('Changed since you decided'));
  press({ type: 'reviewChoice', id: row('Dock').id, choice: 'push', revision: before });
  await until(() => shown().note !== '');
  assert.equal(row('Dock').choice, null);
  press({ type: 'reviewDecision', decision: 'apply' });
  await until(() => /undecided/.test(shown().note));
  assert.equal(connected.studio.source('ServerScriptService/Dock'), 'return "newer"\n');
  run.cancel();
  assert.equal((await run.result).status, 'cancelled');
  await until(() => isClosed(connected));
});

test('shows no review to a plugin without the capability', async () => {
  await using bridge = await startBridge(files);
  await using connected = await bridge.connectStudio(place, { capabilities: capabilities.slice(0, -1) });
  const run = bridge.engine.start({ mode: 'manual', overrides: [], requestedBy: 'Copilot' });
  assert.equal((await run.result).error?.code, 'REVIEW_UNAVAILABLE');
  assert.equal(shownBy(connected), undefined);
});
