import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { bothInStudio, diskOnly, newFile, sourceInStudio, studioOnly } from '../../scripts/start/demo-edits.ts';
import { startHeadlessStudio } from '../../scripts/start/headless-process.ts';
import { syncThenEdit } from '../../scripts/start/sync-then-edit.ts';
import { prepareExample } from '../../scripts/start/prepare-example.ts';
import { ensureRelease } from '../../scripts/vscode/pack-extension.ts';
import { SyncResult } from '../../src/protocol/sync-result.ts';
import { picture, walkthroughPicture } from './harness/picture.ts';
import { atlasExports } from './harness/atlas-exports.ts';
import { listedNotice } from './harness/listed-notice.ts';
import { ownPort } from '../harness/own-port.ts';
import { reviewPage } from './harness/review-page.ts';
import { startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';
import { vsCodeAgent } from './harness/vscode-agent.ts';

const screenshot = process.env['UPDATE_SCREENSHOTS'] === '1' ? 'media/readme/review.png' : 'out/review.png';
const pathOf = ({ script }: { script: readonly string[] }): string => script.join('/');

test('[W10] [W8] [P2] syncs an agent request with user decisions to both sides and the answer', async t => {
  await using stack = new AsyncDisposableStack();
  const dir = mkdtempSync(join(tmpdir(), 'atlas-story-'));
  stack.defer(() => rmSync(dir, { recursive: true, force: true }));
  await ensureRelease();

  // A game in git and a place in sync with it, followed by edits on both sides.
  const project = join(dir, 'obby');
  await prepareExample(project);
  const port = await ownPort();
  const studio = stack.use(await startHeadlessStudio(dir, port));
  await syncThenEdit({ project, studio, port, dir });
  const onDisk = (file: string): string => readFileSync(join(project, file), 'utf8');
  const stagesInStudio = await studio.run(sourceInStudio(diskOnly));

  const vscode = stack.use(await startVsCode({ hasChat: true, folder: project, settings: { 'atlas.port': port } }));
  const agent = vsCodeAgent(vscode);
  const status = await until('Studio connected to the bridge in VS Code', 60_000, async () => {
    const now = await atlasExports(vscode);
    if (/obby/.test(now.status)) return now.status;
    throw new Error(JSON.stringify(now));
  });
  t.diagnostic(`status bar: ${status}`);

  // The agent runs a dry run, then decides some changes with preconditions.
  const looking = agent.invoke('atlas_sync', { mode: 'dryrun' });
  assert.match(await agent.allow(), /sync/i, 'the dialog says what is about to run');
  const seen = await result(looking);
  assert.equal(seen.status, 'dryrun', seen.summary);
  const changeAt = (file: string) => {
    const change = seen.changes.find(({ fsPath }) => fsPath === file);
    assert.ok(change !== undefined, `${file} is not among ${seen.changes.map(({ path }) => path).join(', ')}`);
    return change;
  };
  const { id, studioHash } = changeAt(diskOnly.file);
  const asking = agent.invoke('atlas_sync', { overrides: [{ id, direction: 'push', studioHash }] });
  await agent.allow();

  // One change has no suggestion, so the user must decide.
  const review = reviewPage(vscode.page);
  await review.shown();
  assert.equal(await review.chosen(pathOf(studioOnly)), 'pull', 'only Studio moved');
  assert.equal(await review.chosen(pathOf(diskOnly)), 'push', 'the agent asked for it');
  assert.equal(await review.chosen(pathOf(bothInStudio)), undefined, 'both moved');
  assert.ok(!(await review.canApply()), 'nothing can be applied while something is undecided');
  // The offer of the first sync covers the buttons of the review.
  await vscode.driver.call('execute', { command: 'notifications.clearAll', args: [] });
  await vscode.page.mouse.move(0, 0);
  await picture(vscode.page, screenshot);
  await walkthroughPicture(vscode.page.locator('iframe.webview').first(), 'review');

  await review.openDiff(pathOf(bothInStudio));
  await until('the diff editor', 15_000, async () =>
    (await vscode.driver.call('tabs', {})).some(label => label.includes('Shop') && /↔|Studio/.test(label))
      ? true
      : undefined,
  );
  // The diff opens beside the review.
  await review.choose(pathOf(bothInStudio), 'pull');
  await review.choose(newFile.path, 'skip');
  const before = { shuffle: onDisk(newFile.file) };
  await review.apply();

  const done = await result(asking);
  assert.equal(done.status, 'success', done.error?.message ?? done.summary);
  const outcome = (file: string): string | undefined => done.changes.find(({ fsPath }) => fsPath === file)?.outcome;
  assert.equal(outcome(studioOnly.file), 'written');
  assert.equal(outcome(bothInStudio.file), 'written');
  assert.equal(outcome(diskOnly.file), 'applied');
  assert.equal(outcome(newFile.file), 'skipped');
  assert.deepEqual(
    done.overrides.map(({ verdict }) => verdict),
    ['accepted'],
  );
  assert.ok(done.summary.length > 0);

  // No editor shows a difference that no longer exists. The review still opens what was replaced.
  await until('the diff closing', 15_000, async () =>
    (await vscode.driver.call('tabs', {})).some(label => label.includes('Studio ↔ disk')) ? undefined : true,
  );
  await review.openDiff(pathOf(bothInStudio));
  await until('the recorded diff', 15_000, async () =>
    (await vscode.driver.call('tabs', {})).includes('Shop.luau (before ↔ after)') ? true : undefined,
  );
  await review.openDiff(newFile.path);
  await until('the diff of the skipped change', 15_000, async () =>
    (await vscode.driver.call('tabs', {})).includes('Shuffle (Studio ↔ disk)') ? true : undefined,
  );

  // A notice says what the agent did, and shows it.
  const notice = await listedNotice(vscode, /3 scripts synced by /);
  await notice.getByRole('button', { name: 'Undo' }).waitFor();
  await picture(vscode.page, 'out/host-agent-notice.png');
  await notice.getByRole('button', { name: 'Show' }).click();
  await until('the diffs of the sync', 15_000, async () =>
    (await vscode.driver.call('tabs', {})).some(label => label.startsWith('3 scripts synced by ')) ? true : undefined,
  );

  // The result matches both sides.
  for (const edit of [studioOnly, bothInStudio, diskOnly])
    assert.equal(onDisk(edit.file), await studio.run(sourceInStudio(edit)), `${edit.file} differs`);
  assert.match(onDisk(studioOnly.file), new RegExp(`${studioOnly.to}\\b`));
  assert.ok(onDisk(bothInStudio.file).includes(bothInStudio.to), 'Studio won');
  assert.ok(onDisk(diskOnly.file).includes(diskOnly.to), 'disk won');
  assert.notEqual(await studio.run(sourceInStudio(diskOnly)), stagesInStudio, 'Studio was changed');
  assert.equal(onDisk(newFile.file), before.shuffle, 'what was skipped stays');
  assert.equal(await studio.run('return game.ReplicatedStorage.Shared.Util:FindFirstChild("Shuffle") == nil'), true);

  // Read-only tools need no confirmation.
  const asked = vscode.page
    .getByRole('dialog', { name: /Run / })
    .waitFor()
    .then(() => assert.fail('atlas_diff asks before it runs'));
  asked.catch(() => undefined);
  const [compared = ''] = await Promise.race([agent.invoke('atlas_diff', {}), asked]);
  assert.equal(SyncResult.parse(JSON.parse(compared)).changes.length, 1, 'the skipped change is left');
  const [read = ''] = await agent.invoke('get_script', { fsPath: bothInStudio.file });
  assert.equal((JSON.parse(read) as { source: string }).source, onDisk(bothInStudio.file));
});

/** VS Code passes only the structured content to the model, as JSON. */
async function result(answer: Promise<readonly string[]>): Promise<SyncResult> {
  return SyncResult.parse(JSON.parse((await answer)[0] ?? ''));
}
