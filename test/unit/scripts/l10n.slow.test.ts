import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bundle, filesWithTexts } from '../../../scripts/generate-l10n.ts';
import { collectSentences, collectTexts } from '../../../scripts/l10n/collect-texts.ts';
import { AppError, errorCatalog } from '../../../src/base/errors.ts';
import { toErrorBody } from '../../../src/protocol/error-body.ts';
import { personSentence, personSummary } from '../../../src/vscode/localization/person-sentence.ts';
import { plainL10n } from '../../../scripts/review-page/plain-l10n.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
const read = (path: string): string => readFileSync(resolve(root, path), 'utf8');
type Texts = Readonly<Record<string, string>>;
const textsOf = (path: string): Texts => JSON.parse(read(path)) as Texts;

test('the bundle for translators contains each text of the code once', () => {
  assert.equal(read('l10n/bundle.l10n.json'), bundle(), 'run node scripts/generate-l10n.ts');
});

test('every text of the editor uses l10n with a literal key', () => {
  const problems = filesWithTexts().flatMap(path => collectTexts(path, read(path)).problems.map(at => `${path}:${at}`));
  assert.deepEqual(problems, []);
});

test('finds texts without l10n in every place that VS Code shows', () => {
  const planted = [
    "vscode.window.showInformationMessage('All is well.');",
    'void window.showErrorMessage(`Cannot read ${file}`);',
    "window.showWarningMessage(l10n.t('Fine.'), isBad ? 'Try Again' : x);",
    "item.tooltip = 'Click to open it';",
    "const items = [{ label: 'Push everything', id: 'push' }];",
    "show({ placeHolder: wrong || 'Choose one of them' });",
    'l10n.t(`${count} changes`);',
    'const text = window.l10n.t(sentence);',
    "new vscode.Diagnostic(range, 'It is not there.', level);",
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

test('collects sentences with the tag and the hints for people', () => {
  const found = collectSentences(
    'planted.ts',
    `const a = say\`There is no \${x} in \${y}.\`;
     const b = { hint: 'Call the tool.', personHint: 'Press the button.', retry: 'no' };
     const c = [{ hint: 'Look.' }, { reason: 'it is missing' }];
     const colors = { error: '1;31', hint: '1;36' };`,
  );
  assert.deepEqual(found.toSorted(), ['Look.', 'Press the button.', 'There is no {0} in {1}.']);
});

/** Error details with every field, in whatever way the message uses it. */
const details = new Proxy({}, { get: () => ({ join: () => '', map: () => [], toString: () => '', toJSON: () => '' }) });

test('the bundle contains the message and the hint of every error in the catalog', () => {
  const texts = textsOf('l10n/bundle.l10n.json');
  for (const [code, row] of Object.entries(errorCatalog)) {
    assert.ok(texts[row.message(details as never).template], `${code}: message`);
    assert.ok(texts[row.personHint ?? row.hint], `${code}: hint`);
  }
});

/** A language in which a translated text is recognized by its brackets. */
const pseudo = { t: (text: string, ...values: (string | number)[]) => `⟦${plainL10n.t(text, ...values)}⟧` };

test('translates the message and the hint of a failure, but not names', () => {
  assert.equal(
    personSentence(new AppError('FILE_CHANGED', { file: 'src/Comparing.luau' }), pseudo),
    '⟦⟦src/Comparing.luau changed on disk after it was read.⟧ ⟦Nothing was overwritten. Try again to use the new state.⟧⟧',
  );
});

test('translates the summary of a run, but not the name of the place', () => {
  const change = { direction: 'push', patchType: 'Edit', outcome: 'applied' } as const;
  const place = { name: 'none', placeId: 1 };
  assert.equal(
    personSummary({ status: 'success', runId: '1', place, changes: [change], overrides: [] }, pseudo),
    '⟦Sync completed successfully: ⟦1 pushed to none⟧.⟧',
  );
});

test('shows a received failure by its code and details, not by its text', () => {
  const { message: _, ...wire } = toErrorBody(new AppError('FILE_CHANGED', { file: 'a.luau' }));
  assert.match(personSentence({ ...wire, message: 'other words' }, pseudo), /^⟦⟦a\.luau changed on disk/);
});

test('the bundle contains the texts of the review of a sync, of a restore and of a Pluto file', () => {
  const texts = textsOf('l10n/bundle.l10n.json');
  for (const text of [
    'Different on disk and in Studio.',
    'Different now and before the sync.',
    'Different in the .pluto and the .pt file.',
  ])
    assert.ok(texts[text], text);
});

test('texts name commands by their titles', () => {
  const titles = new Set(Object.values(textsOf('package.nls.json')));
  const named = Object.values(textsOf('l10n/bundle.l10n.json')).flatMap(text =>
    Array.from(text.matchAll(/["“„]Atlas Bridge: ([^"“”]+)["“”]/g), ([, title = '']) => title),
  );
  assert.ok(named.length > 0);
  assert.deepEqual(
    named.filter(title => !titles.has(title)),
    [],
  );
});

test('every text in the manifest is a key of package.nls.json', () => {
  const { contributes } = JSON.parse(read('package.json')) as { readonly contributes: object };
  const problems: string[] = [];
  const visit = (value: unknown, key: string): void => {
    if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) visit(inner, Array.isArray(value) ? key : name);
    else if (typeof value === 'string' && forPeople.test(key) && !/^(%[\w.]+%|Atlas( Bridge)?)$/.test(value))
      problems.push(`${key}: ${value}`);
  };
  visit(contributes, '');
  assert.deepEqual(problems, []);
});
const forPeople = /^(title|label|shortTitle|category|contents|displayName|altText|(markdown)?(enum)?[dD]escriptions?)$/;
