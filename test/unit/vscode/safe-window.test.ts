import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');

/** Uses of VS Code that show text without `safe-window.ts`. The texts of input boxes are fixed, and a code block shows code as it is. */
const rules: readonly RegExp[] = [
  /\bwindow\s*\.\s*(?:show(?:Information|Warning|Error)Message|showQuickPick|createQuickPick|withProgress|setStatusBarMessage|showOpenDialog|showSaveDialog)\b/g,
  /\bnew vscode\.TreeItem\b/g,
  /\.createTestItem\(|\bnew vscode\.TestMessage\b|\.appendOutput\((?!testOutput\()/g,
  /\bview\.(?:message|description) = |\bpanel\.title = /gi,
  /\bappendMarkdown\((?!`\$\{safeMarkdown\()|\.isTrusted = |\bsupportThemeIcons\b|\bsupportHtml\b/g,
  // An icon in front of a value, which may contain another one.
  /\$\([a-z~-]+\) \$\{/g,
  /\bnew vscode\.Diagnostic\(|\bcreateOutputChannel\((?!'Atlas Bridge', \{ log: true \}\))|\bvscode\.OutputChannel\b/g,
  /\bexecuteCommand\(\s*'vscode\.diff'/g,
];
const findings = (source: string): readonly string[] => rules.flatMap(rule => source.match(rule) ?? []);

test('every text that VS Code shows passes through the functions of a safe module', () => {
  const files = globSync('src/**/*.ts', {
    cwd: root,
    exclude: ['src/vscode/{safe-window,safe-tests,safe-output,safe-diagnostics,file-dialogs}.ts', 'src/webview/**'],
  });
  const found = files.flatMap(path =>
    findings(readFileSync(resolve(root, path), 'utf8')).map(use => `${path}: ${use}`),
  );
  // A change of a decision that is marked with a check: `title` is a fixed text.
  assert.deepEqual(
    found.filter(use => !use.startsWith('src/review/vscode/review-editors.ts: $(check)')),
    [],
  );
});

test('finds a text that is shown without them', () => {
  for (const planted of [
    'void vscode.window.showWarningMessage(reason);',
    'await vscode.window\n  .showInformationMessage(name);',
    'const pick = window.createQuickPick();',
    'const [file] = (await vscode.window.showOpenDialog({})) ?? [];',
    'await vscode.window.withProgress(options, run);',
    'const item = new vscode.TreeItem(name);',
    'text.appendMarkdown(name);',
    'view.description = name;',
    'this.#panel.title = name;',
    'controller.createTestItem(id, name);',
    'run.appendOutput(text);',
    'const label = `$(file) ${name}`;',
    'const problem = new vscode.Diagnostic(range, message);',
    "const channel = vscode.window.createOutputChannel('Pluto');",
    "await vscode.commands.executeCommand('vscode.diff', left, right, name);",
  ])
    assert.equal(findings(planted).length, 1, planted);
  assert.deepEqual(findings('void safeWindow.showWarningMessage(reason);'), []);
});
