import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type ConnectedStudio, connectFakeStudio } from '../harness/connect-fake-studio.ts';
import type { AtlasExports } from '../../src/extension/atlas-exports.ts';
import { listedNotice } from './harness/listed-notice.ts';
import { picture } from './harness/picture.ts';
import { atlasExports } from './harness/atlas-exports.ts';
import { runFromPalette } from './harness/palette.ts';
import { type ReviewPage, reviewPage } from './harness/review-page.ts';
import { ACTION_TIMEOUT_MS, type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';

/** One window of VS Code with its own extension host, bridge and Studio. */
interface Window {
  readonly page: Page;
  readonly review: ReviewPage;
  readonly studio: ConnectedStudio;
  readonly studioUrl: string;
  /** The projects that the window serves. */
  readonly projects: AtlasExports['projects'];
}

const names = ['A', 'B'];
const owned = new AsyncDisposableStack();
let dir = '';
let vscode: RunningVsCode;
let first: Window;
let second: Window;

const textOf = (name: string): string => readFileSync(join(dir, 'src', `${name}.luau`), 'utf8');
const pictureOf = ({ page }: Window, name: string): Promise<void> => picture(page, `out/host-windows-${name}.png`);
const notice = ({ page }: Window, text: string | RegExp) => listedNotice({ page, driver: vscode.driver }, text);
const asksForReview = async ({ page }: Window): Promise<void> => {
  await page.bringToFront();
  await runFromPalette(page, 'Atlas Bridge: Review Changes');
};

/** Connects a Studio to the bridge of the window that opened last. */
async function windowOf(page: Page, before: string): Promise<Window> {
  page.setDefaultTimeout(ACTION_TIMEOUT_MS);
  const studioUrl = await until('the bridge of the window', 60_000, async () => {
    const now = await atlasExports(vscode);
    return now.state === 'running' && now.studioUrl !== before ? now.studioUrl : undefined;
  });
  const projects = await until('both projects served', 60_000, async () => {
    const { projects: served } = await atlasExports(vscode);
    return served.length === 2 ? served : undefined;
  });
  const script = { className: 'ModuleScript', source: 'return "studio"\n' };
  const place = {
    ServerScriptService: { className: 'ServerScriptService' },
    'ServerScriptService/A': script,
    'ServerScriptService/B': script,
  };
  const hello = { placeName: 'Baseplate', studioId: 'one' };
  const studio = owned.use(await connectFakeStudio(studioUrl ?? '', place, hello, await vscode.studioKey()));
  await page.locator('.statusbar-item[id*="atlas.status"]', { hasText: 'Baseplate' }).waitFor();
  return { page, review: reviewPage(page), studio, studioUrl: studioUrl ?? '', projects };
}

/** Blurs the window, so that VS Code saves the open tabs with the view state of the page. */
const lookAway = `
  document.hasFocus = () => false;
  document.dispatchEvent(new Event('visibilitychange'));
  delete document.hasFocus;
  document.dispatchEvent(new Event('visibilitychange'));
`;

/** Waits until VS Code has saved the tab of the review, so that a new window restores it. */
async function isWrittenDown({ page }: Window): Promise<void> {
  await until('VS Code writing down the tab of the review', 20_000, async () => {
    await page.evaluate(lookAway);
    const { origins } = await page.context().storageState({ indexedDB: true });
    return /mainThreadWebview-atlas\.review.*?runId/.test(JSON.stringify(origins)) ? true : undefined;
  });
}

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-windows-'));
  owned.defer(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, 'src'));
  const tree = { $className: 'DataModel', ServerScriptService: { $path: 'src' } };
  writeFileSync(join(dir, 'default.project.json'), JSON.stringify({ name: 'Small', tree }));
  const match = { name: 'match', servePlaceIds: [22], tree: { $className: 'DataModel', ReplicatedStorage: {} } };
  writeFileSync(join(dir, 'match.project.json'), JSON.stringify(match));
  for (const name of names) writeFileSync(join(dir, 'src', `${name}.luau`), 'return "disk"\n');
  const settings = { 'atlas.port': 0, 'atlas.rojoPort': null, 'atlas.changes.autoCompare': false };
  vscode = owned.use(await startVsCode({ folder: dir, settings }));
  first = await windowOf(vscode.page, '');
  await asksForReview(first);
  await first.review.shown();
  await first.review.choose('ServerScriptService/A', 'pull');
  await isWrittenDown(first);
  const page = await vscode.page.context().newPage();
  await page.goto(vscode.page.url());
  second = await windowOf(page, first.studioUrl);
});
after(() => owned.disposeAsync());

test('shows a second window that the review is open in the first', async () => {
  // VS Code restores the tab of the review. Its page must not claim that the review has ended.
  await second.review.frame.getByRole('heading', { name: 'This review is open in another window' }).waitFor();
  await pictureOf(second, 'opened');
  await asksForReview(second);
  const message = await notice(second, 'is changing this project');
  await pictureOf(second, 'locked');
  assert.match(
    await message.innerText(),
    /is changing this project \(sync run [^)]+\)\. Wait until that run finishes, or decide it there\./,
  );
  assert.equal(
    await message.getByRole('button', { name: 'Show Review' }).count(),
    0,
    'no window shows that of another',
  );
  const again = second.review.frame.getByRole('button', { name: 'Start New Review' });
  assert.equal(await again.count(), 0, 'it would only be refused');
  assert.equal(await first.review.chosen('ServerScriptService/A'), 'pull', 'the first window continues');
});

test('serves several projects in both windows, and says so in the second', async () => {
  const labels = ({ projects }: Window) => projects.map(({ project }) => project);
  assert.deepEqual(
    [labels(first), labels(second)],
    [
      ['Small', 'match'],
      ['Small', 'match'],
    ],
  );
  const portOf = (window: Window, name: string): string =>
    new URL(window.projects.find(({ project }) => project === name)?.studioUrl ?? '').port;
  const ports = [first, second].flatMap(window => ['Small', 'match'].map(name => portOf(window, name)));
  assert.equal(new Set(ports).size, 4, ports.join());
  const execute = (command: string, ...args: readonly unknown[]) => vscode.driver.call('execute', { command, args });
  const said = await notice(second, 'also open in another');
  assert.ok(
    (await said.innerText()).includes(
      `Small (port ${portOf(second, 'Small')}), match (port ${portOf(second, 'match')})`,
    ),
    await said.innerText(),
  );
  await pictureOf(second, 'projects');
  await execute('notifications.hideList');
  const doctor = (await execute('atlas.doctor', { quiet: true })) as readonly { readonly text: string }[];
  for (const name of ['Small', 'match'])
    assert.ok(
      doctor.some(
        ({ text }) =>
          text.startsWith(`Project ${name} is also open in another window, on port ${portOf(first, name)}.`) &&
          text.endsWith(` this one is on port ${portOf(second, name)}.`),
      ),
      JSON.stringify(doctor),
    );

  // Each window has a Studio of the other project, and a run waits for the review of the other window.
  const key = await vscode.studioKey();
  for (const { projects } of [first, second]) {
    const { studioUrl = '' } = projects.find(({ project }) => project === 'match') ?? {};
    const hello = { placeName: 'Match', placeId: 22, studioId: studioUrl };
    owned.use(await connectFakeStudio(studioUrl, {}, hello, key));
  }
  await execute('atlas.switchServedFolder', join(dir, 'match.project.json'));
  // The notice of the first project would be taken for the one of the second.
  await execute('notifications.clearAll');
  await asksForReview(second);
  await notice(second, /is changing this project/);
  await execute('notifications.hideList');
  await execute('atlas.switchServedFolder', dir);
});

test('applies the decision of the first window once, then unblocks the second window', async () => {
  await first.page.bringToFront();
  await first.review.choose('ServerScriptService/B', 'skip');
  await first.review.apply();
  await first.review.frame.getByText('Sync completed successfully').waitFor();
  assert.deepEqual(names.map(textOf), ['return "studio"\n', 'return "disk"\n']);
  // The page in the second window is updated automatically and offers a new review.
  await second.page.bringToFront();
  await second.review.frame.getByRole('heading', { name: 'This review has ended' }).waitFor();
  await pictureOf(second, 'ended');
  // The second window reads the records of the first.
  await second.review.frame.getByText('Sync completed successfully: 1 written to disk.').waitFor();
  await second.review.frame.getByRole('button', { name: 'Start New Review' }).click();
  await second.review.shown();
  await pictureOf(second, 'free');
  await second.review.frame
    .getByText(/^1 change · 1 undecided/)
    .first()
    .waitFor();
  await second.review.choose('ServerScriptService/B', 'push');
  await second.review.apply();
  await second.review.frame.getByText('Sync completed successfully').waitFor();
  assert.equal(second.studio.studio.source('ServerScriptService/B'), 'return "disk"\n');
});
