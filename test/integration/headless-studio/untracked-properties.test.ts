import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReviewControl } from '../../../src/ports/review-surface.ts';
import { type HeadlessWorld, startHeadlessWorld } from '../../harness/headless-world.ts';
import { until } from '../../harness/until.ts';

const files = {
  'default.project.json': JSON.stringify({
    name: 'Game',
    tree: { $className: 'DataModel', StarterGui: { $path: 'gui' } },
  }),
  'gui/Hud.model.json': JSON.stringify({ className: 'ScreenGui', properties: { DisplayOrder: 3 } }),
  'gui/Main.luau': 'return 1\n',
};
const hud = `local hud = game:GetService("StarterGui").Hud `;
const start = async (extra = ''): Promise<HeadlessWorld> => {
  const world = await startHeadlessWorld(files);
  await world.decide();
  // The place is older than this default.
  await world.lua(
    `game:GetService("StarterGui").ScreenOrientation = Enum.ScreenOrientation.LandscapeSensor ${hud} ${extra}`,
  );
  return world;
};
const openReview = async (world: HeadlessWorld): Promise<{ review: ReviewControl; ended: Promise<unknown> }> => {
  const run = world.bridge.engine.start({
    mode: 'manual',
    overrides: [],
    requestedBy: 'test',
    canDecide: true,
    showsUntracked: true,
  });
  await until(() => run.review()?.snapshot().untracked !== undefined);
  const review = run.review();
  assert.ok(review);
  return { review, ended: run.result };
};
const listed = (review: ReviewControl): readonly string[] | undefined =>
  review.snapshot().untracked?.properties.map(({ path, property }) => `${path}.${property}`);

test('counts the properties that only Studio has in dry runs and runs without changes', async () => {
  await using world = await start();
  const none = await world.sync();
  assert.deepEqual([none.status, none.untracked], ['empty', undefined]);
  await world.lua(`${hud} hud.Enabled = false`);
  const one = await world.sync();
  assert.deepEqual([one.status, one.untracked], ['empty', 1]);
  assert.match(one.summary, /are identical\. 1 property is only in Studio and not tracked\.$/);
  await world.lua(`${hud} hud.DisplayOrder = 4 hud.ResetOnSpawn = false`);
  const two = await world.sync();
  assert.equal(two.status, 'dryrun');
  assert.match(two.summary, /Nothing was changed\. 2 properties are only in Studio and not tracked\.$/);
});

test('tracks a property in the review, writes it to its file, and restores the file', async () => {
  await using world = await start('hud.Enabled = false hud.ResetOnSpawn = false');
  const { review, ended } = await openReview(world);
  assert.deepEqual(listed(review), ['StarterGui/Hud.Enabled', 'StarterGui/Hud.ResetOnSpawn']);
  const [property] = review.snapshot().untracked?.properties ?? [];
  assert.deepEqual([property?.studio, property?.default], [{ Bool: false }, { Bool: true }]);
  await review.track(property?.id ?? '', 'Enabled');
  const [row] = review.snapshot().rows;
  assert.deepEqual(
    [row?.path, Object.keys(row?.properties ?? {}), row?.choice],
    ['StarterGui/Hud', ['Enabled'], 'pull'],
  );
  await until(() => listed(review)?.length === 1);
  review.apply(review.status().revision);
  await ended;
  assert.deepEqual(JSON.parse(world.bridge.disk.text('gui/Hud.model.json') ?? ''), {
    className: 'ScreenGui',
    properties: { DisplayOrder: 3, Enabled: false },
  });
  const after = await world.sync();
  assert.deepEqual([after.status, after.untracked], ['empty', 1]);
  // Tracked from now on.
  await world.lua(`${hud} hud.Enabled = true`);
  const changed = await world.sync();
  assert.deepEqual(
    changed.changes.map(({ path, direction }) => [path, direction]),
    [['StarterGui/Hud', 'pull']],
  );
  const [run] = await world.bridge.engine.history(1);
  assert.equal(run?.status, 'success');
});

test('leaves a tracked property undecided when its instance has other changes', async () => {
  await using world = await start('hud.Enabled = false hud.DisplayOrder = 9');
  const { review, ended } = await openReview(world);
  const [property] = review.snapshot().untracked?.properties ?? [];
  await review.track(property?.id ?? '', 'Enabled');
  const [row] = review.snapshot().rows;
  assert.deepEqual([Object.keys(row?.properties ?? {}).toSorted(), row?.choice], [['DisplayOrder', 'Enabled'], null]);
  assert.deepEqual([row?.defaultReason, row?.side], ['base_never_compared', 'unknown']);
  assert.match(row?.explanation ?? '', /Never compared before: Enabled\./);
  assert.doesNotMatch(row?.explanation ?? '', /Both sides have changed/);
  await assert.rejects(review.track(property?.id ?? '', 'Name'), { code: 'REVIEW_REFUSED' });
  review.reject(review.status().revision);
  await ended;
});

test('does not list attributes of Roblox, which are defaults of a service and never reported by Studio', async () => {
  const tree = { $className: 'DataModel', Lighting: {} };
  await using world = await startHeadlessWorld({ 'default.project.json': JSON.stringify({ name: 'Game', tree }) });
  await world.lua('game.Lighting:SetAttribute("UseCurrentLighting", nil)');
  const none = await openReview(world);
  assert.equal(listed(none.review)?.includes('Lighting.Attributes'), false, listed(none.review)?.join());
  none.review.reject(none.review.status().revision);
  await none.ended;
  await world.lua('game.Lighting:SetAttribute("Mood", "dark")');
  const { review, ended } = await openReview(world);
  const [found] = review.snapshot().untracked?.properties.filter(({ property }) => property === 'Attributes') ?? [];
  assert.ok(found);
  assert.deepEqual(found.studio, { Attributes: { Mood: { String: 'dark' } } });
  assert.doesNotMatch(JSON.stringify(found.default), /RBX/);
  await review.track(found.id, 'Attributes');
  const rows = review
    .snapshot()
    .rows.map(({ path, properties, choice }) => [path, Object.keys(properties ?? {}), choice]);
  assert.deepEqual(rows, [['Lighting', ['Attributes'], 'pull']]);
  review.apply(review.status().revision);
  await ended;
  assert.deepEqual(JSON.parse(world.bridge.disk.text('default.project.json') ?? '').tree.Lighting, {
    $attributes: { Mood: 'dark' },
  });
  assert.equal((await world.sync()).status, 'empty');
});
