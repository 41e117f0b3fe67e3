import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../src/base/errors.ts';
import { formatSentence } from '../../../src/base/sentence.ts';
import { nodeClock } from '../../../src/adapters/node/clock.ts';
import type { ReviewControl } from '../../../src/ports/review-surface.ts';
import type { ReviewShown } from '../../../src/protocol/studio/review.ts';
import { followReviewsInStudio } from '../../../src/sync/review/studio-window.ts';
import type { ReviewChannel } from '../../../src/studio/studio-link.ts';
import { connectHeadless } from '../../harness/connect-headless.ts';
import { defaultSettings } from '../../harness/default-settings.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { startBridge } from '../../harness/start-bridge.ts';
import { until } from '../../harness/until.ts';

const FILE = 'server/Main.server.luau';
const files = {
  'default.project.json': JSON.stringify({
    name: 'Game',
    tree: { $className: 'DataModel', ServerScriptService: { $path: 'server' } },
  }),
  [FILE]: 'print("same")\n',
};
const SETUP = `
local main = Instance.new("Script") main.Name = "Main" main.Source = 'print("same")\\n'
main.Parent = game:GetService("ServerScriptService")`;
const MAIN = 'game.ServerScriptService.Main.Source';

test(
  'says everywhere why an edit from Studio was not written, and loses neither side',
  { timeout: 60_000 },
  async () => {
    await using ends = new AsyncDisposableStack();
    const reviews: ReviewControl[] = [];
    const bridge = ends.use(
      await startBridge(files, {
        settings: defaultSettings({ live: () => 'twoWay' }),
        reviewSurface: {
          async show(review) {
            reviews.push(review);
          },
        },
      }),
    );
    const { studio, lua } = await connectHeadless(bridge, SETUP);
    ends.use(studio);
    await until(() => bridge.live.state().kind === 'on');
    const synced = await bridge.engine.start({ mode: 'fastfail', overrides: [], requestedBy: 'test' }).result;
    assert.equal(synced.status, 'empty');

    const inWindow: ReviewShown[] = [];
    const window: ReviewChannel = {
      send: message => void (message.type === 'review' && inWindow.push(message)),
      onMessage: () => ({ [Symbol.dispose]: () => undefined }),
    };
    // Headless Studio has no windows, so the channel to its window is the test's.
    const withWindow = {
      all: () => bridge.studios.all().map(link => Object.create(link, { review: { value: window } }) as typeof link),
      onDidChange: bridge.studios.onDidChange.bind(bridge.studios),
    };
    ends.use(followReviewsInStudio(bridge.engine, withWindow, { clock: nodeClock, log: memoryLog() }));
    const notices: string[] = [];
    bridge.live.onDidNeedSync(reason => notices.push(formatSentence(reason)));

    bridge.disk.fault = (_count, file) => {
      throw new AppError('FS_WRITE_FAILED', { file, reason: 'permission denied' });
    };
    await lua(`${MAIN} = 'print("from Studio")\\n'`);
    await until(() => reviews.length > 0 && inWindow.length > 0);
    const why = `${FILE} could not be written: permission denied`;
    assert.deepEqual(notices, [`ServerScriptService/Main: ${why}`]);
    assert.ok(
      bridge.log.lines.some(line => line.startsWith('warn edit from Studio not written') && line.includes(why)),
    );

    // Nothing has changed on disk, so the common version is still known and the edit in Studio is suggested.
    const [review = assert.fail()] = reviews;
    const [row = assert.fail()] = review.snapshot().rows;
    assert.equal(row.defaultReason, 'base_studio_moved');
    assert.equal(row.choice, 'pull');
    const [shown = assert.fail()] = inWindow.slice(-1);
    assert.equal(shown.rows[0]?.hint, 'Pull: only Studio changed since the last sync');

    const { answer } = await bridge.call('sync_history');
    const summaries = (answer['runs'] as readonly { readonly summary: string }[]).map(({ summary }) => summary);
    assert.deepEqual(summaries, [
      "Did not write ServerScriptService/Main from Studio. Studio's version is in History.",
      `Did not write ServerScriptService/Main from Studio: ${why}. No file was changed.`,
    ]);

    // Applying fails for the same reason, and says so.
    const run = bridge.engine.current() ?? assert.fail();
    review.apply(review.status().revision);
    const { status, changes } = await run.result;
    assert.equal(status, 'partial');
    assert.equal(changes[0]?.outcome, 'failed');
    assert.equal(bridge.disk.text(FILE), 'print("same")\n');
    assert.deepEqual(await lua(`return ${MAIN}`), ['print("from Studio")\n']);
  },
);
