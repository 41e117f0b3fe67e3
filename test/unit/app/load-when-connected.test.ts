import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/emitter.ts';
import { createLazyLive, type LoadLive } from '../../../src/app/lazy-live.ts';
import { createStudioReviews, type LoadStudioWindow } from '../../../src/app/studio-reviews.ts';
import type { StudioLink } from '../../../src/studio/studio-link.ts';
import { defaultSettings } from '../../harness/default-settings.ts';
import { FakeStudio } from '../../harness/fake-studio.ts';
import { ManualClock } from '../../harness/manual-clock.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { settle } from '../../harness/settle.ts';

/** A directory with one Studio, and the parts that fail to load once. */
function world() {
  const changed = new Emitter<void>();
  const log = memoryLog();
  const link = { review: new FakeStudio(() => ({ sessionId: 's', messageCursor: 0, instances: {} }), {}) };
  const studios = { all: () => [link as unknown as StudioLink], onDidChange: changed.event };
  let loads = 0;
  const load = async (): Promise<never> => {
    loads += 1;
    throw new Error('the file of the part is missing');
  };
  return { changed, log, studios, load, loads: () => loads };
}

test('loads Live Sync again when a Studio connects after a failure', async () => {
  const { changed, log, studios, load, loads } = world();
  const served = new Emitter<void>();
  const deps = { studios, log, onDidServe: served.event, settings: defaultSettings({ live: () => 'diskToStudio' }) };
  using _live = createLazyLive(load satisfies LoadLive, deps as unknown as Parameters<typeof createLazyLive>[1]);
  await settle();
  assert.equal(loads(), 1);
  changed.fire();
  await settle();
  assert.equal(loads(), 2);
  assert.equal(log.lines.filter(line => line.includes('Live Sync could not be loaded')).length, 2);
});

test('loads the reviews in Studio again when a Studio connects after a failure', async () => {
  const { changed, log, studios, load, loads } = world();
  const engine = { current: () => undefined, onDidChange: new Emitter<void>().event };
  using _reviews = createStudioReviews(load satisfies LoadStudioWindow, engine, studios, {
    clock: new ManualClock(),
    log,
  });
  changed.fire();
  await settle();
  changed.fire();
  await settle();
  assert.equal(loads(), 2);
});
