import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { plutoTools } from '../../src/pluto/tools/pluto-catalog.ts';
import { containerOf, textInContainer } from '../harness/pluto-container.ts';
import { picture } from './harness/picture.ts';
import { clickLens } from './harness/click-lens.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { type ToolCalls, toolCalls } from './harness/tool-calls.ts';
import { until } from './harness/until.ts';
import { vsCodeAgent } from './harness/vscode-agent.ts';

let dir = '';
let vscode: RunningVsCode;
let tools: ToolCalls;
const path = (name: string): string => join(dir, name);
const view = (name: string): string => `atlas-pluto:${path(name)}`;
const containerText = (name: string): string => textInContainer(readFileSync(path(name)));
const lens = (title: string) => vscode.page.locator('.codelens-decoration a', { hasText: title }).first();
const AGENT = 'Compare Unsaved Edits of an Agent';

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-pluto-edits-'));
  writeFileSync(path('geo.pluto'), containerOf('pub fn one() int {\n    return 1\n}\n'));
  // By default, VS Code in a browser saves automatically.
  vscode = await startVsCode({ hasChat: true, folder: dir, settings: { 'atlas.port': 0, 'files.autoSave': 'off' } });
  tools = toolCalls(vsCodeAgent(vscode), plutoTools);
  await vscode.driver.call('execute', { command: 'atlas.doctor', args: [{ quiet: true }] });
});
after(async () => {
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

test('[atlas.showAgentEdits] [atlas.saveAgentEdits] marks, shows and saves unsaved edits of an agent', async () => {
  const { driver, page } = vscode;
  await driver.call('show', { uri: view('geo.pluto') });
  await tools.call('add_declaration', { path: 'geo.pluto', source: 'pub fn two() int {\n    return 2\n}' });
  await lens(AGENT).waitFor();
  await driver.call('execute', { command: 'workbench.view.explorer', args: [] });
  await until('the mark in the Explorer', 20_000, async () => {
    const parts = page
      .locator('.explorer-folders-view .monaco-list-row', { hasText: 'geo.pluto' })
      .locator('.label-name, .monaco-icon-label');
    // VS Code renders the badge as CSS content.
    const drawn = await parts.evaluateAll(found =>
      found.map(
        part =>
          (globalThis as unknown as { getComputedStyle(e: unknown, p: string): { content: string } }).getComputedStyle(
            part,
            '::after',
          ).content,
      ),
    );
    return drawn.some(content => content.includes('AI')) ? true : undefined;
  });
  await picture(page, 'out/host-pluto-agent-edits.png');
  assert.doesNotMatch((await driver.call('front', {}))?.text ?? '', /two/);
  await clickLens(lens(AGENT));
  await page.locator('.tab', { hasText: "geo.pluto: on disk ↔ the agent's edits" }).waitFor();
  await page.locator('.modified-in-monaco-diff-editor .view-line', { hasText: 'pub fn two() int' }).first().waitFor();
  await picture(page, 'out/host-pluto-agent-diff.png');
  await driver.call('execute', { command: 'workbench.action.closeActiveEditor', args: [] });
  await driver.call('show', { uri: view('geo.pluto') });
  await clickLens(lens('Save Edits'));
  await until('the edits on disk', 20_000, async () => (containerText('geo.pluto').includes('two') ? true : undefined));
  await until('the view with them', 20_000, async () =>
    (await driver.call('front', {}))?.text.includes('pub fn two') ? true : undefined,
  );
  await lens(AGENT).waitFor({ state: 'detached' });
});

test('overwrites neither edits of a person nor of an agent that the other has not seen', async () => {
  const { driver, page } = vscode;
  await tools.call('add_declaration', { path: 'geo.pluto', source: 'pub fn three() int {\n    return 3\n}' });
  await lens(AGENT).waitFor();
  await driver.call('edit', { before: 'return 1', after: 'return 100' });
  assert.equal(await driver.call('save', {}), true);
  const saved = readFileSync(path('geo.pluto'));
  assert.match(containerText('geo.pluto'), /return 100/);
  const refused = JSON.stringify(await tools.call('save', {}));
  assert.match(refused, /FILE_CHANGED/);
  assert.deepEqual(readFileSync(path('geo.pluto')), saved);
  await clickLens(lens('Save Edits'));
  await page
    .getByText(/^geo\.pluto: .*changed/)
    .first()
    .waitFor();
  assert.deepEqual(readFileSync(path('geo.pluto')), saved);
  const { source } = await tools.call('get_source', { path: 'geo.pluto' });
  assert.match(String(source), /three/, 'the edits of the agent are still there');
  await tools.call('undo', {});
  await lens(AGENT).waitFor({ state: 'detached' });
});
