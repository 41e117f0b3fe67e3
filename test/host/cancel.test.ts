import assert from 'node:assert/strict';
import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';

/** So many files that reading them takes longer than a click. Hard links to one file, which are created quickly. */
const SCRIPTS = 30_000;
const A_FOLDER = 500;
/** VS Code shows at most three notifications in this time, and the one with the button to click could be the fourth. */
const NOTICES_MS = 800;

let dir = '';
let vscode: RunningVsCode;
const path = (...names: readonly string[]): string => join(dir, ...names);
/** Outside the open folder, so that the window does not watch them. */
const large = (): string => path('large', 'default.project.json');
/** The folder of the small project. */
const place = (): string => path('place.rbxl');

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-cancel-'));
  const tree = { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } };
  for (const name of ['small', 'large']) {
    mkdirSync(path(name, 'src'), { recursive: true });
    writeFileSync(path(name, 'default.project.json'), JSON.stringify({ name, tree }));
    writeFileSync(path(name, 'src/A.luau'), `return '${name}'\n`);
  }
  for (let at = 0; at < SCRIPTS; at += A_FOLDER) {
    mkdirSync(path('large/src', `Part${at}`));
    for (let index = 0; index < A_FOLDER; index += 1)
      linkSync(path('large/src/A.luau'), path('large/src', `Part${at}`, `Script${index}.luau`));
  }
  mkdirSync(path('out'));
  vscode = await startVsCode({ folder: path('small'), settings: { 'atlas.port': 0 } });
  await vscode.driver.call('execute', { command: 'atlas.build', args: [{ output: place() }] });
  await waitForNotice('place.rbxl was written.');
});
after(async () => {
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

/** Waits for the notification and closes it. */
async function waitForNotice(text: string): Promise<void> {
  await vscode.page.locator('.notification-toast', { hasText: text }).waitFor();
  await vscode.driver.call('execute', { command: 'notifications.clearAll', args: [] });
}

/** Starts a command, clicks Cancel in its notification, and returns its result. */
async function cancelled(command: string, choice: object, title: string): Promise<{ readonly outcome: string }> {
  await delay(NOTICES_MS);
  const running = vscode.driver.call('execute', { command, args: [choice] });
  const toast = vscode.page.locator('.notification-toast', { hasText: title });
  await toast.getByRole('button', { name: 'Cancel' }).click();
  return (await running) as { readonly outcome: string };
}

test('keeps the existing file and leaves no other file when a build is cancelled', async () => {
  const output = path('out', 'made.rbxl');
  writeFileSync(output, 'old content');
  const { outcome } = await cancelled('atlas.build', { project: large(), output }, 'Building made.rbxl');
  assert.equal(outcome, 'refused');
  await waitForNotice('Cancelled: made.rbxl was not written.');
  assert.deepEqual(readdirSync(path('out')), ['made.rbxl']);
  assert.equal(readFileSync(output, 'utf8'), 'old content');
  rmSync(output);
});

test('writes no sourcemap when it is cancelled', async () => {
  const choice = { project: large(), output: path('out', 'map.json') };
  const { outcome } = await cancelled('atlas.writeSourcemap', choice, 'Writing the sourcemap');
  assert.equal(outcome, 'refused');
  await waitForNotice('Cancelled: map.json was not written.');
  assert.deepEqual(readdirSync(path('out')), []);
});

test('changes no file when a syncback is cancelled', async () => {
  const choice = { project: large(), input: place(), confirmed: true };
  const { outcome } = await cancelled('atlas.syncbackFromPlace', choice, 'Syncback from place.rbxl');
  assert.equal(outcome, 'refused');
  await waitForNotice('Cancelled: no file was written or removed.');
  assert.equal(readFileSync(path('large/src/A.luau'), 'utf8'), "return 'large'\n");
  assert.equal(readdirSync(path('large/src')).length, SCRIPTS / A_FOLDER + 1);
});

test('changes no file when a plan is not confirmed', async () => {
  writeFileSync(path('small/src/A.luau'), 'return "moved on"');
  const running = vscode.driver.call('execute', { command: 'atlas.syncbackFromPlace', args: [{ input: place() }] });
  const question = vscode.page.getByRole('dialog', { name: /Write 1 file\?/ });
  await question.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(((await running) as { readonly outcome: string }).outcome, 'refused');
  await waitForNotice('Cancelled: no file was written or removed.');
  assert.equal(readFileSync(path('small/src/A.luau'), 'utf8'), 'return "moved on"');
});

test('runs normally after a cancelled command', async () => {
  const output = path('out', 'again.rbxl');
  const answer = await vscode.driver.call('execute', { command: 'atlas.build', args: [{ output }] });
  assert.equal((answer as { readonly outcome: string }).outcome, 'done');
  await until('the file', 5_000, async () => (readFileSync(output).length > 0 ? true : undefined));
});
