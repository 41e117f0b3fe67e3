import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HeadlessStudio, startHeadlessStudio } from '../../../scripts/start/headless-process.ts';
import { syncThenEdit } from '../../../scripts/start/sync-then-edit.ts';
import { prepareExample } from '../../../scripts/start/prepare-example.ts';
import { ensureRelease } from '../../../scripts/vscode/pack-extension.ts';
import { picture, pictureAsShown } from './picture.ts';
import { atlasExports } from './atlas-exports.ts';
import { ownPort } from '../../harness/own-port.ts';
import { type ReviewPage, reviewPage } from './review-page.ts';
import { type RunningVsCode, startVsCode } from './start-vscode.ts';
import { until } from './until.ts';

/** The example project in VS Code and Studio, with edits on both sides since the last sync. */
export interface ReviewWorld extends AsyncDisposable {
  readonly vscode: RunningVsCode;
  readonly review: ReviewPage;
  readonly studio: HeadlessStudio;
  readonly project: string;
  /** Reads a file of the project. */
  file(name: string): string;
  /** Waits until a change has this choice; `undefined`: undecided. */
  becomes(path: string, choice: string | undefined): Promise<true>;
  connected(): Promise<true>;
  /** Saves a screenshot of the window to `out/`. */
  picture(name: string): Promise<void>;
  /** Saves a screenshot in the look and width of the window only. */
  pictureAsShown(name: string): Promise<void>;
}

/** Settings of VS Code, and whether it has its chat. */
export type ReviewSettings = Readonly<Record<string, unknown>> & { readonly hasChat?: boolean };

/** @param prepare makes more edits on disk before VS Code opens the project */
export async function reviewWorld(
  { hasChat = false, ...settings }: ReviewSettings,
  prepare: (project: string) => void = () => undefined,
): Promise<ReviewWorld> {
  await using stack = new AsyncDisposableStack();
  const dir = mkdtempSync(join(tmpdir(), 'atlas-review-'));
  stack.defer(() => rmSync(dir, { recursive: true, force: true }));
  await ensureRelease();
  const project = join(dir, 'obby');
  await prepareExample(project);
  const port = await ownPort();
  const studio = stack.use(await startHeadlessStudio(dir, port));
  await syncThenEdit({ project, studio, port, dir });
  prepare(project);
  const vscode = stack.use(
    await startVsCode({ folder: project, hasChat, settings: { 'atlas.port': port, ...settings } }),
  );
  const connected = (): Promise<true> =>
    until('Studio connected to the bridge in VS Code', 60_000, async () =>
      /obby/.test((await atlasExports(vscode)).status) ? true : undefined,
    );
  await connected();
  const review = reviewPage(vscode.page);
  const owned = stack.move();
  return {
    vscode,
    review,
    studio,
    project,
    connected,
    file: name => readFileSync(join(project, name), 'utf8'),
    becomes: (path, choice) =>
      until(`${path} being ${choice ?? 'undecided'}`, 15_000, async () => {
        const now = await review.chosen(path);
        if (now === choice) return true as const;
        const dialogs = await vscode.page.locator('.monaco-dialog-box').allInnerTexts();
        throw new Error(`it is ${now ?? 'undecided'}; dialogs: ${JSON.stringify(dialogs)}`);
      }),
    picture: name => picture(vscode.page, `out/host-review-${name}.png`),
    pictureAsShown: name => pictureAsShown(vscode.page, `out/host-review-${name}.png`),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
