import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';

let dir = '';
let vscode: RunningVsCode;
const path = (name: string): string => join(dir, name);
const project = `{
  // both dialects read comments
  "name": "Small",
  "tree": {
    "$className": "DataModel",
    "ReplicatedStorage": {
      "$path": "src",
    },
  },
  // of Atlas alone, whose files are JSON5
  "syncScriptsOnly": false,
}
`;

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-schemas-'));
  mkdirSync(path('src'));
  writeFileSync(path('default.project.json'), project);
  writeFileSync(path('src/A.luau'), 'return 1\n');
  writeFileSync(path('src/A.meta.json'), '{\n  "properties": {\n    "Archivable": "yes"\n  }\n}\n');
  writeFileSync(path('src/B.model.json'), '{\n  "className": "Part",\n  "properties": {\n    "Material": ""\n  }\n}\n');
  writeFileSync(path('src/C.model.json5'), "{\n  className: 'Pa',\n  properties: { Anch },\n}\n");
  mkdirSync(path('other'));
  writeFileSync(path('other/E.model.json5'), '{className: "Prat"}');
  writeFileSync(path('src/D.luau'), 'return 1\n');
  writeFileSync(path('src/D.meta.json5'), '{\n  // of a script\n  properties: { Archivable: false },\n}\n');
  // VS Code in a browser has auto save on by default.
  vscode = await startVsCode({ folder: dir, settings: { 'atlas.port': 0, 'files.autoSave': 'off' } });
});
after(async () => {
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

const offered = (
  name: string,
  line: number,
  character: number,
  wanted: readonly string[],
): Promise<readonly string[]> =>
  until(`${wanted.join(', ')} among the completions of ${name}`, 90_000, async () => {
    const labels = await vscode.driver.call('completions', { path: path(name), line, character });
    const plain = labels.map(label => label.replace(/^"|"$/g, ''));
    return wanted.every(label => plain.includes(label)) ? plain : undefined;
  });
const problems = (name: string): Promise<readonly string[]> => vscode.driver.call('problems', { path: path(name) });

test('completes project fields, node fields and class names in a project file', async () => {
  await offered('default.project.json', 1, 0, ['globIgnorePaths', 'syncRules', 'emitLegacyScripts']);
  await offered('default.project.json', 6, 6, ['$className', '$ignoreUnknownInstances', '$properties']);
  await offered('default.project.json', 4, 20, ['Folder', 'ReplicatedStorage', 'Workspace']);
});

test('completes meta and model files, including enum items', async () => {
  await offered('src/A.meta.json', 1, 2, ['attributes', 'ignoreUnknownInstances']);
  await offered('src/B.model.json', 3, 17, ['Plastic', 'Neon']);
});

test('completes JSON5 files, which VS Code does not support itself', async () => {
  await offered('src/C.model.json5', 1, 14, ['Folder', 'Part']);
  await offered('src/C.model.json5', 2, 17, ['Anchored', 'Material']);
});

const findings = async (name: string, wanted: readonly string[]): Promise<void> => {
  await until(`${JSON.stringify(wanted)} of ${name}`, 30_000, async () =>
    isDeepStrictEqual(
      (await problems(name)).map((each, index) => each.slice(0, wanted[index]?.length)),
      wanted,
    )
      ? true
      : undefined,
  );
};
/** Opens a file like a user. A document opened by the driver would stay open after its editor is closed. */
const openInFront = async (name: string): Promise<void> => {
  await vscode.driver.call('execute', { command: 'workbench.action.quickOpen', args: [path(name)] });
  await vscode.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: basename(name) }).waitFor();
  await vscode.page.keyboard.press('Enter');
  await until(`${name} in front`, 20_000, async () =>
    (await vscode.driver.call('front', {}))?.uri.endsWith(name) ? true : undefined,
  );
};

test('validates JSON5 while typing, before saving', async () => {
  const name = 'src/D.meta.json5';
  await openInFront(name);
  await vscode.driver.call('edit', { before: 'false', after: '"yes"' });
  await findings(name, ['3:29 Warning Atlas Bridge: Expected true or false or an object.']);
  await vscode.driver.call('edit', { before: '"yes" },', after: '"yes"' });
  await findings(name, ['5:1 Error Atlas Bridge: Expected "," or "}".']);
  await vscode.driver.call('edit', { before: '"yes"', after: 'true },' });
  await findings(name, []);
  assert.equal((await vscode.driver.call('front', {}))?.isDirty, true);
});

test('shows the problem of a saved file once', async () => {
  const name = 'src/D.meta.json5';
  await vscode.driver.call('edit', { before: 'true', after: '1' });
  await findings(name, ['3:29 Warning Atlas Bridge: Expected true or false or an object.']);
  await vscode.driver.call('save', {});
  const ofProject = '3:29 Error Atlas Bridge: expected ModuleScript.Archivable to be true or false, not 1';
  await findings(name, [ofProject]);
  await vscode.driver.call('edit', { before: '1', after: 'false' });
  await findings(name, []);
  await vscode.driver.call('execute', { command: 'workbench.action.revertAndCloseActiveEditor', args: [] });
  await findings(name, [ofProject]);
});

test('validates an open file outside the project', async () => {
  const name = 'other/E.model.json5';
  await openInFront(name);
  await findings(name, ['1:13 Warning Atlas Bridge: Expected one of']);
  await vscode.driver.call('execute', { command: 'workbench.action.closeActiveEditor', args: [] });
  await findings(name, []);
});

test('allows comments and trailing commas, and marks a value of the wrong type while typing', async () => {
  const [problem] = await until('the problem of the meta file', 90_000, async () => {
    const found = (await problems('src/A.meta.json')).filter(each => !each.includes('Atlas Bridge'));
    return found.length > 0 ? found : undefined;
  });
  assert.match(problem ?? '', /^3:19 Warning /);
  assert.deepEqual(await problems('default.project.json'), []);
});

test('shows an unreadable part of the project in the Problems view until it is fixed', async () => {
  const own = async (name: string): Promise<readonly string[]> =>
    (await problems(name)).filter(each => each.includes('Atlas Bridge'));
  assert.deepEqual(await own('src/A.meta.json'), [
    '3:19 Error Atlas Bridge: expected ModuleScript.Archivable to be true or false, not "yes"',
  ]);
  writeFileSync(path('default.project.json'), project.replace('"$path": "src"', '"$path": 1'));
  const [problem] = await until('the problem of the project file', 20_000, async () => {
    const found = await own('default.project.json');
    return found.length > 0 ? found : undefined;
  });
  assert.match(problem ?? '', /^7:16 Error Atlas Bridge: expected "\$path" to be a string/);
  writeFileSync(path('default.project.json'), project);
  writeFileSync(path('src/A.meta.json'), '{}');
  await until('no problem any more', 20_000, async () =>
    (await own('default.project.json')).length + (await own('src/A.meta.json')).length === 0 ? true : undefined,
  );
});
