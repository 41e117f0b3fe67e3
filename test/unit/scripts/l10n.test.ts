import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bundle, filesWithTexts } from '../../../scripts/generate-l10n.ts';
import { collectTexts } from '../../../scripts/l10n/collect-texts.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
const read = (path: string): string => readFileSync(resolve(root, path), 'utf8');
type Texts = Readonly<Record<string, string>>;
const textsOf = (path: string): Texts => JSON.parse(read(path)) as Texts;

test('the bundle for translators holds the texts of the code, each once', () => {
  assert.equal(read('l10n/bundle.l10n.json'), bundle(), 'run node scripts/generate-l10n.ts');
});

test('what a person reads in the editor goes through l10n, with a text that a translation can find', () => {
  const problems = filesWithTexts().flatMap(path => collectTexts(path, read(path)).problems.map(at => `${path}:${at}`));
  assert.deepEqual(problems, []);
});

test('texts that go past l10n are found wherever they would be shown', () => {
  const planted = [
    "vscode.window.showInformationMessage('All is well.');",
    'void window.showErrorMessage(`Cannot read ${file}`);',
    "window.showWarningMessage(l10n.t('Fine.'), isBad ? 'Try Again' : x);",
    "item.tooltip = 'Click to open it';",
    "const items = [{ label: 'Push everything', id: 'push' }];",
    "show({ placeHolder: wrong || 'Choose one of them' });",
    'l10n.t(`${count} changes`);',
    'const text = window.l10n.t(sentence);',
  ];
  for (const line of planted) {
    const { problems } = collectTexts('planted.ts', line);
    assert.equal(problems.length, 1, `${line}: ${problems.join('; ')}`);
  }
  const innocent = [
    "log.info('the bridge listens at a port');",
    "throw new Error('two tools have the same name');",
    "const view = { label: t('Changes'), text: '$(plug) {0}', title: name };",
    'item.text = `$(plug) ${name}`;',
    "execute({ command: 'workbench.action.openSettings', title: '' });",
  ];
  for (const line of innocent) assert.deepEqual(collectTexts('innocent.ts', line).problems, [], line);
});

/** What a translation must keep: what is filled in, icons, where links lead. */
const fixedParts = (text: string): readonly string[] =>
  (text.match(/\{\d\}|\$\([\w~-]+\)|\]\([^)]*\)|`[^`]*`/g) ?? []).toSorted();

const translations = globSync(['l10n/bundle.l10n.*.json', 'package.nls.*.json'], { cwd: root }).toSorted();

test('there is a German translation of both kinds of text', () => {
  assert.deepEqual(
    translations.filter(path => path.endsWith('.de.json')),
    ['l10n/bundle.l10n.de.json', 'package.nls.de.json'],
  );
});

for (const path of translations)
  test(`${path} has every text, each with what is filled in`, () => {
    const original = textsOf(path.replace(/\.\w+\.json$/, '.json'));
    const translated = textsOf(path);
    const missing = Object.keys(original).filter(key => !Object.hasOwn(translated, key));
    const left = Object.keys(translated).filter(key => !Object.hasOwn(original, key));
    assert.deepEqual({ missing, left }, { missing: [], left: [] });
    for (const [key, text] of Object.entries(original)) {
      assert.deepEqual(fixedParts(translated[key] ?? ''), fixedParts(text), `${key}: ${translated[key]}`);
      assert.ok(translated[key]?.trim(), key);
    }
  });
