import assert from 'node:assert/strict';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { containerOf, textInContainer } from '../harness/pluto-container.ts';
import { geo } from '../harness/pluto-geo.ts';
import { reloadWindow } from './harness/reload-window.ts';
import { picture } from './harness/picture.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { testingView } from './harness/testing-view.ts';
import { until } from './harness/until.ts';

const main = `import geo
import std.math

fn main() {
    let mut p = geo.origin(false) catch err { return }
    p.scale(math.max(1, 2))
    print(f"x is {p.x}")
}
`;

let dir = '';
let vscode: RunningVsCode;
const path = (name: string): string => join(dir, name);
const file = (name: string): string => `file://${path(name)}`;
const view = (name: string): string => `atlas-pluto:${path(name)}`;
const { max } = Math;

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-pluto-'));
  mkdirSync(path('lib'));
  writeFileSync(path('main.pt'), main);
  writeFileSync(path('geo.pluto'), containerOf(geo));
  writeFileSync(path('lib/shapes.pluto'), 'pub fn area(w:int,h:int) int {return w*h}\n');
  // By default, VS Code in a browser saves automatically.
  vscode = await startVsCode({ folder: dir, settings: { 'atlas.port': 0, 'files.autoSave': 'off' } });
});
after(async () => {
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

const problems = async (name: string, scheme = 'file'): Promise<readonly string[]> =>
  vscode.driver.call('problems', { path: path(name), scheme });
const problemsAre = (name: string, wanted: RegExp | undefined, scheme = 'file'): Promise<readonly string[]> =>
  until(`${wanted?.source ?? 'no problem'} in ${name}`, 60_000, async () => {
    const found = await problems(name, scheme);
    return wanted === undefined
      ? found.length === 0
        ? found
        : undefined
      : found.some(one => wanted.test(one))
        ? found
        : undefined;
  });
/** The position of `^` in a marked excerpt of a text. */
const at = (text: string, marked: string): { line: number; character: number } => {
  const lines = text.slice(0, text.indexOf(marked.replace('^', '')) + max(0, marked.indexOf('^'))).split('\n');
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
};
const containerText = (name: string): string => textInContainer(readFileSync(path(name)));

test('checks a module as it is typed, against modules that are not open', async () => {
  const { driver } = vscode;
  await driver.call('show', { uri: file('main.pt') });
  assert.equal((await driver.call('front', {}))?.language, 'pluto');
  await driver.call('edit', { before: 'p.scale(math', after: 'p.shrink(1)\n    p.scale(math' });
  const [problem] = await problemsAre('main.pt', /shrink/);
  assert.match(problem ?? '', /^6:\d+ Error Pluto: /);
  await driver.call('execute', { command: 'undo', args: [] });
  await problemsAre('main.pt', undefined);
});

test('answers outline, hover, definition, references and symbols', async () => {
  const { driver } = vscode;
  const uri = file('main.pt');
  assert.deepEqual(await driver.call('outline', { uri }), ['Function main ()']);
  const [hover] = await driver.call('hovers', { uri, ...at(main, 'geo.or^igin') });
  assert.match(hover ?? '', /```pluto\npub fn origin\(far: bool\) Point\n```/);
  assert.match(hover ?? '', /The origin\\\.\s+Raises TooFar/);
  const text = await driver.call('show', { uri: view('geo.pluto') });
  const { line, character } = at(text, 'fn ^origin');
  const origin = `atlas-pluto:${path('geo.pluto')}:${line + 1}:${character + 1}`;
  assert.deepEqual(await driver.call('places', { uri, ...at(main, 'geo.or^igin'), of: 'Definition' }), [origin]);
  const scale = await driver.call('places', { uri, ...at(main, 'p.sc^ale'), of: 'Reference' });
  assert.equal(scale.length, 2, scale.join());
  const [std] = await driver.call('places', { uri, ...at(main, 'math.m^ax'), of: 'Definition' });
  assert.match(std ?? '', /^atlas-pluto-std:\/math\/math\.pt:\d+/);
  assert.deepEqual(await driver.call('symbols', { query: 'TooF' }), [`Event TooFar ${path('geo.pluto')}`]);
  const offered = await driver.call('completions', { path: path('main.pt'), ...at(main, 'p.^scale') });
  assert.ok(offered.includes('x') && offered.includes('scale'), offered.join());
});

test('opens a container as its view, and a text module as text', async () => {
  const { driver, page } = vscode;
  await driver.call('execute', { command: 'workbench.action.closeAllEditors', args: [] });
  await driver.call('execute', { command: 'workbench.view.explorer', args: [] });
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'geo.pluto' }).click();
  const shown = await until('the view', 20_000, async () => {
    const front = await driver.call('front', {});
    return front?.uri === view('geo.pluto') ? front : undefined;
  });
  assert.equal(shown.language, 'pluto');
  assert.match(shown.text, /^\/\/ A place on the map\.\n\/\/ @uuid: \S+\npub class Point/m);
  assert.deepEqual(await driver.call('tabs', {}), ['geo.pluto'], 'no tab with the bytes is left');
  await driver.call('show', { uri: file('lib/shapes.pluto') });
  assert.equal((await driver.call('front', {}))?.language, 'pluto');
});

test('says why a container cannot be read, and does not take it as missing', async () => {
  const { driver } = vscode;
  symlinkSync('loop.pluto', path('loop.pluto'));
  mkdirSync(path('folder.pluto'));
  try {
    await assert.rejects(
      driver.call('show', { uri: view('loop.pluto') }),
      /Cannot read the container: its links form a circle/,
    );
    await assert.rejects(
      driver.call('show', { uri: view('folder.pluto') }),
      /Cannot read the container: a folder is where a file is expected/,
    );
    await assert.rejects(driver.call('show', { uri: view('missing.pluto') }), /does not exist|not found|nonexistent/i);
  } finally {
    rmSync(path('loop.pluto'));
    rmdirSync(path('folder.pluto'));
  }
});

test('formats to the canonical text', async () => {
  const { driver } = vscode;
  await driver.call('show', { uri: file('lib/shapes.pluto') });
  await driver.call('execute', { command: 'editor.action.formatDocument', args: [] });
  const front = await driver.call('front', {});
  assert.equal(front?.text, 'pub fn area(w: int, h: int) int {\n    return w * h\n}\n');
  await driver.call('save', {});
});

test('edits, undoes and saves a container like a file, and keeps ids and unchanged text', async () => {
  const { driver } = vscode;
  await driver.call('show', { uri: view('geo.pluto') });
  const text = await driver.call('edit', { before: 'x: int\n', after: 'x: int\n    y: int\n' });
  await problemsAre('geo.pluto', /./, 'atlas-pluto');
  await driver.call('execute', { command: 'undo', args: [] });
  await problemsAre('geo.pluto', undefined, 'atlas-pluto');
  await driver.call('edit', {
    before: 'return Point { x: 0 }\n}\n',
    after: 'return Point { x: 1 }\n}\n\nfn fresh() {}\n',
  });
  assert.equal(await driver.call('save', {}), true);
  const wanted = `${geo.replace('x: 0', 'x: 1')}\nfn fresh() {}\n`;
  assert.equal(containerText('geo.pluto'), wanted);
  const hinted = await until('the id of what is new', 10_000, async () => {
    const front = await driver.call('front', {});
    return front !== undefined && /@uuid: \S+\nfn fresh/.test(front.text) && !front.isDirty ? front.text : undefined;
  });
  const ids = (of: string): readonly string[] => Array.from(of.matchAll(/@uuid: (\S+)/g), match => match[1] ?? '');
  assert.deepEqual(ids(hinted).slice(0, 3), ids(text));
});

test('does not save a view that does not parse, and keeps the container', async () => {
  const { driver } = vscode;
  const bytes = readFileSync(path('geo.pluto'));
  await driver.call('edit', { before: 'fn fresh() {}', after: 'fn fresh( {}' });
  assert.equal(await driver.call('save', {}), false);
  assert.deepEqual(readFileSync(path('geo.pluto')), bytes);
  await driver.call('execute', { command: 'undo', args: [] });
});

test('reloads a container that changed on disk, and never overwrites it while it has edits', async () => {
  const { driver, page } = vscode;
  await driver.call('execute', { command: 'workbench.action.files.revert', args: [] });
  const theirs = containerOf(geo.replace('x: 0', 'x: 7'));
  writeFileSync(path('geo.pluto'), theirs);
  await until('the new text', 20_000, async () =>
    (await driver.call('front', {}))?.text.includes('x: 7') ? true : undefined,
  );
  await driver.call('edit', { before: 'x: 7', after: 'x: 8' });
  const again = containerOf(geo.replace('x: 0', 'x: 9'));
  writeFileSync(path('geo.pluto'), again);
  assert.equal(await driver.call('save', {}), false);
  assert.deepEqual(readFileSync(path('geo.pluto')), Buffer.from(again));
  await page.getByText('The content of the file is newer').first().waitFor();
  await driver.call('execute', { command: 'workbench.action.files.revert', args: [] });
});

test('renames in every module, including containers', async () => {
  const { driver } = vscode;
  await driver.call('show', { uri: file('main.pt') });
  const changed = await driver.call('rename', { uri: file('main.pt'), ...at(main, 'p.sc^ale'), name: 'grow' });
  assert.deepEqual(new Set(changed), new Set([file('main.pt'), view('geo.pluto')]));
  await driver.call('execute', { command: 'workbench.action.files.saveFiles', args: [] });
  assert.match(containerText('geo.pluto'), /fn grow\(mut self/);
  assert.match(readFileSync(path('main.pt'), 'utf8'), /p\.grow\(/);
  await problemsAre('main.pt', undefined);
});

test('runs the program and the tests of the module in the editor, and saves it first', async () => {
  const { driver, page } = vscode;
  const tests = 'test "one" {\n    expect(1).to_equal(1)\n}\n\nfn main() {';
  await driver.call('show', { uri: file('main.pt') });
  await driver.call('edit', {
    before: 'fn main() {',
    after: tests.replace('fn main() {', 'fn main() int {\n    print("begun")'),
  });
  await driver.call('edit', { before: 'catch err { return }', after: 'catch err { return 1 }' });
  await driver.call('edit', { before: 'print(f"x is {p.x}")', after: 'print(f"x is now {p.x}")\n    return 3' });
  assert.equal(await driver.call('execute', { command: 'atlas.runPluto', args: [] }), 3);
  const printed = page.getByText(/x\sis\snow\s\d+/).first();
  await printed.waitFor();
  await page.getByText('main.pt exited with status 3.').first().waitFor();
  assert.equal(await driver.call('execute', { command: 'atlas.testPluto', args: [] }), 0);
  const result = page.getByText('test one ... ok').first();
  await result.waitFor();
  // For VS Code, the Output panel is the active text editor now.
  await result.click();
  assert.equal(await driver.call('execute', { command: 'atlas.testPluto', args: [] }), 0);
  assert.match(readFileSync(path('main.pt'), 'utf8'), /x is now/);
  await driver.call('execute', { command: 'workbench.action.closePanel', args: [] });
});

test('runs the module of a .pt view', async () => {
  const { driver, page } = vscode;
  writeFileSync(path('hello.pluto'), containerOf('fn main() {\n    print("from the module")\n}\n'));
  writeFileSync(path('hello.pt'), 'fn main() {\n    print("from the view")\n}\n');
  await driver.call('show', { uri: file('hello.pt') });
  assert.equal(await driver.call('execute', { command: 'atlas.runPluto', args: [] }), 0);
  await page.getByText('hello.pluto exited with status 0.').first().waitFor();
  await page
    .getByText(/from\sthe\smodule/)
    .first()
    .waitFor();
  await driver.call('execute', { command: 'workbench.action.closePanel', args: [] });
});

/** The view with unsaved edits, before them: its text, and the bytes of its container. */
let unedited: { readonly text: string; readonly bytes: Buffer };

test('reopens a view after a reload', async () => {
  const { driver } = vscode;
  await driver.call('execute', { command: 'workbench.action.closeAllEditors', args: [] });
  unedited = {
    text: await driver.call('show', { uri: view('geo.pluto') }),
    bytes: readFileSync(path('geo.pluto')),
  };
  await driver.call('edit', { before: 'pub error TooFar', after: 'fn typed() {}\n\npub error TooFar' });
  await until('what VS Code keeps of the edits', 30_000, async () => {
    const cwd = join(vscode.logs, '..');
    const kept = globSync('**/Backups/**/atlas-pluto/*', { cwd });
    return kept.some(file => readFileSync(join(cwd, file), 'utf8').includes('fn typed')) ? true : undefined;
  });
  writeFileSync(path('beside.pluto'), containerOf('pub fn beside() {}\n'));
  await driver.call('execute', { command: 'workbench.action.newGroupRight', args: [] });
  const text = await driver.call('show', { uri: view('beside.pluto') });
  await reloadWindow(vscode);
  const restored = await until('the view', 30_000, async () => {
    const front = await driver.call('front', {});
    return front?.uri === view('beside.pluto') ? front : undefined;
  });
  assert.equal(restored.text, text);
});

// After the same reload: opening the window takes longer than both tests.
test('restores unsaved edits of a view after a reload, and saves them', async () => {
  const { driver } = vscode;
  const { text, bytes } = unedited;
  await driver.call('execute', { command: 'workbench.action.focusFirstEditorGroup', args: [] });
  const restored = await until('the edits', 30_000, async () => {
    const front = await driver.call('front', {});
    return front?.uri === view('geo.pluto') && front.isDirty ? front : undefined;
  });
  assert.equal(restored.text, text.replace('pub error TooFar', 'fn typed() {}\n\npub error TooFar'));
  assert.deepEqual(readFileSync(path('geo.pluto')), bytes, 'the container is as it was');
  assert.equal(await driver.call('save', {}), true);
  assert.match(containerText('geo.pluto'), /fn typed\(\) \{\}/);
  await driver.call('execute', { command: 'workbench.action.closeAllEditors', args: [] });
});

test('lists, runs and stops the tests of modules in the Testing view, and shows failures', async () => {
  const { driver, page } = vscode;
  const execute = (command: string) => driver.call('execute', { command, args: [] });
  mkdirSync(path('tests'));
  const sums = `fn sum(a: int, b: int) int {
    return a + b
}

test "adds" {
    expect(sum(1, 2)).to_equal(3)
}

test "fails" {
    let found = sum(1, 1)
    expect(found).to_equal(3)
}
`;
  writeFileSync(path('tests/sums.pluto'), sums);
  writeFileSync(path('tests/loops.pluto'), 'test "loops" {\n    while true {}\n}\n');
  const { rows, untilRow, expand, open, run } = testingView(vscode);

  await execute('workbench.view.testing.focus');
  await untilRow(/tests\/sums\.pluto/);
  await expand('sums.pluto', /^fails/);
  await open('fails', 'tests/sums.pluto', 9);

  await run('fails', /^fails.*(?:queued|running|failed)/i);
  await untilRow(/^fails.*failed/i);
  assert.doesNotMatch((await rows()).join('\n'), /^adds.*(?:passed|failed)/im, 'only this test ran');
  const widget = page.locator('.test-error-content-widget', { hasText: /^\s*expected 2 to equal 3/ });
  await widget.waitFor();
  const line = page.locator('.view-line', { hasText: 'expect(found)' });
  await until('the failure on the line of the expectation', 10_000, async () => {
    const [shown, wanted] = [await widget.boundingBox(), await line.boundingBox()];
    return shown && wanted && Math.abs(shown.y - wanted.y) < wanted.height / 2 ? true : undefined;
  });

  await picture(page, 'out/host-pluto-testing-failure.png');

  await run('sums.pluto', /^adds.*(?:queued|running|passed)/i);
  await untilRow(/^adds.*passed/i);
  await execute('testing.showMostRecentOutput');
  await page.locator('.xterm-rows').first().waitFor();
  await picture(page, 'out/host-pluto-testing-output.png');
  await run('loops.pluto', /loops\.pluto.*(?:queued|running)/i);
  await page.locator('.codicon-testing-cancel-icon').first().waitFor();
  await execute('testing.cancelRun');
  await page.locator('.codicon-testing-cancel-icon').first().waitFor({ state: 'detached' });
  assert.doesNotMatch((await rows()).find(row => row.includes('loops.pluto')) ?? '', /failed/i);

  writeFileSync(path('tests/sums.pluto'), sums.replace('"adds"', '"adds two"'));
  await untilRow(/^adds two/);
  rmSync(path('tests/loops.pluto'));
  await until('the end of its row', 30_000, async () =>
    (await rows()).some(row => row.includes('loops.pluto')) ? undefined : true,
  );
  // VS Code reports the folder alone.
  rmSync(path('tests'), { recursive: true });
  await until('the end of the rows of the folder', 30_000, async () =>
    (await rows()).some(row => row.includes('tests/')) ? undefined : true,
  );
  await execute('workbench.view.explorer');
  await execute('workbench.action.closeAllEditors');
  await execute('workbench.action.closePanel');
});
