import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bothInStudio, diskOnly, newFile, sourceInStudio, studioOnly } from '../../scripts/start/demo-edits.ts';
import { freePort } from '../../scripts/start/free-port.ts';
import { type HeadlessStudio, startHeadlessStudio } from '../../scripts/start/headless-process.ts';
import { meetOnce } from '../../scripts/start/meet-once.ts';
import { prepareExample } from '../../scripts/start/prepare-example.ts';
import { ensureRelease } from '../../scripts/vscode/pack-extension.ts';
import { atlasExports } from './harness/atlas-exports.ts';
import { type ReviewPage, reviewPage } from './harness/review-page.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';

const out = resolve(fileURLToPath(import.meta.url), '../../../out');
const pathOf = ({ script }: { script: readonly string[] }): string => script.join('/');
const stack = new AsyncDisposableStack();
let vscode: RunningVsCode;
let review: ReviewPage;
let studio: HeadlessStudio;
let project: string;

before(async () => {
  mkdirSync(out, { recursive: true });
  const dir = mkdtempSync(join(tmpdir(), 'atlas-review-'));
  stack.defer(() => rmSync(dir, { recursive: true, force: true }));
  await ensureRelease();
  project = join(dir, 'obby');
  await prepareExample(project);
  const port = await freePort(41_000);
  studio = stack.use(await startHeadlessStudio(dir, port));
  await meetOnce({ project, studio, port, dir });
  const settings = { 'atlas.port': port, 'diffEditor.codeLens': true, 'window.autoDetectHighContrast': true };
  vscode = stack.use(await startVsCode({ folder: project, settings }));
  await until('Studio connected to the bridge in VS Code', 60_000, async () =>
    /obby/.test((await atlasExports(vscode)).status) ? true : undefined,
  );
  review = reviewPage(vscode.page);
  void vscode.driver.call('execute', { command: 'atlas.reviewChanges', args: [] }).catch(() => undefined);
  await review.shown();
});
after(() => stack.disposeAsync());

const file = (name: string): string => readFileSync(join(project, name), 'utf8');
/** The choice for a change, once it is that. */
const becomes = (path: string, choice: string | undefined): Promise<true> =>
  until(`${path} being ${choice ?? 'undecided'}`, 15_000, async () =>
    (await review.chosen(path)) === choice ? true : undefined,
  );
const titleAction = (name: string) => vscode.page.locator(`.editor-actions a[aria-label^="${name}"]`).first();

test('the review in light, dark and high contrast', async () => {
  await vscode.page.screenshot({ path: join(out, 'host-review-light.png') });
  await vscode.driver.call('execute', { command: 'workbench.action.toggleLightDarkThemes', args: [] });
  await review.frame.locator('body.vscode-dark').waitFor();
  await vscode.page.screenshot({ path: join(out, 'host-review-dark.png') });
  await vscode.page.emulateMedia({ forcedColors: 'active' });
  await review.frame.locator('body.vscode-high-contrast, body.vscode-high-contrast-light').waitFor();
  await vscode.page.screenshot({ path: join(out, 'host-review-high-contrast.png') });
  await vscode.page.emulateMedia({ forcedColors: 'none' });
});

test('a filter shows less, and bulk choices are made for what is shown', async () => {
  const search = review.frame.getByRole('searchbox');
  await search.fill('shop');
  await review.frame.getByText(/1 of \d+ shown/).waitFor();
  await review.frame.getByRole('button', { name: 'Skip Undecided' }).click();
  await becomes(pathOf(bothInStudio), 'skip');
  await search.fill('');
});

test('Accept Studio, Accept Disk and Skip stand in the title of the diff and decide the change', async () => {
  await review.openDiff(pathOf(bothInStudio));
  await titleAction('Accept Studio').click();
  await becomes(pathOf(bothInStudio), 'pull');
  await titleAction('Accept Disk').click();
  await becomes(pathOf(bothInStudio), 'push');
  await titleAction('Skip').click();
  await becomes(pathOf(bothInStudio), 'skip');
});

test('each part of a diff can be decided by its CodeLens', async () => {
  const lens = vscode.page.locator('.modified-in-monaco-diff-editor .codelens-decoration a', {
    hasText: 'Accept Studio',
  });
  await lens.first().waitFor();
  await vscode.page.screenshot({ path: join(out, 'host-review-diff.png') });
  // The one part of this diff; Monaco moves its lenses as long as it lays out.
  await lens.first().click({ force: true });
  await becomes(pathOf(bothInStudio), 'pull');
});

test('a file that is saved meanwhile opens its own decision again and no other', async () => {
  await review.choose(pathOf(diskOnly), 'push');
  const before = file(diskOnly.file);
  writeFileSync(join(project, diskOnly.file), `${before}-- saved while a person decides\n`);
  await becomes(pathOf(diskOnly), undefined);
  assert.equal(await review.chosen(pathOf(bothInStudio)), 'pull');
  // Beside a diff there is no room for words; the mark and the line's name say it.
  await review.frame.locator('[role="row"][aria-label*="Moved, decide again"] .mark').waitFor();
  await vscode.page.screenshot({ path: join(out, 'host-review-moved.png') });
  await review.choose(pathOf(diskOnly), 'push');
});

test('a window that is reloaded says what became of its review, and begins the next one', async () => {
  await vscode.page.reload();
  await review.frame.getByText('This review has ended').waitFor({ timeout: 60_000 });
  // Whether the old window still told the page how the run ended, or went first, the page must not claim a decision.
  await review.frame.getByText(/Nothing (of it was carried out|was changed)|It ended with its window/).waitFor();
  await vscode.page.screenshot({ path: join(out, 'host-review-gone.png') });
  await until('Studio connected again', 60_000, async () =>
    /obby/.test((await atlasExports(vscode)).status) ? true : undefined,
  );
  await review.frame.getByRole('button', { name: 'Review Again' }).click();
  await review.shown();
});

test('Apply does what was decided, on both sides', async () => {
  await review.choose(pathOf(bothInStudio), 'pull');
  await review.choose(pathOf(studioOnly), 'pull');
  await review.choose(pathOf(diskOnly), 'push');
  await review.choose(newFile.path, 'skip');
  await review.apply();
  await review.frame.getByText('Sync completed successfully').waitFor({ timeout: 30_000 });
  for (const edit of [bothInStudio, studioOnly, diskOnly])
    assert.equal(file(edit.file), await studio.run(sourceInStudio(edit)), edit.file);
});
