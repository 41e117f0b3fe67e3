import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bundle, filesWithSentences, filesWithTexts } from '../../../scripts/generate-l10n.ts';
import { collectReasons, collectSentences, collectTexts, untaggedWords } from '../../../scripts/l10n/collect-texts.ts';
import { AppError, errorCatalogue } from '../../../src/base/errors.ts';
import { personSentence, personSummary } from '../../../src/vscode/localization/person-sentence.ts';
import { plainL10n } from '../../../scripts/review-page/plain-l10n.ts';

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

test('sentences of the core are found: tagged ones, hints for people, reasons that are always the same', () => {
  const found = collectSentences(
    'planted.ts',
    `const a = say\`There is no \${x} in \${y}.\`;
     const b = { hint: 'Call the tool.', personHint: 'Press the button.', retry: 'no' };
     const c = [{ hint: 'Look.' }, { reason: 'it is gone' }, { reason: 'BASE_MOVED' }, { phase: 'comparing' }];
     type RunPhase = 'reviewing' | 'done';`,
  );
  assert.deepEqual(found.toSorted(), [
    'Look.',
    'Press the button.',
    'There is no {0} in {1}.',
    'comparing',
    'it is gone',
    'reviewing',
  ]);
});

/** Folders whose words no editor shows, or shows as the compilers of other languages are shown: in English, as one searches for them. */
const inEnglish =
  /^src\/(pluto\/(language|program\/(backend|runtime)|session\/(edits|programs))|protocol\/msgpack|headless-studio\/luau-wasm)\b/;

test('reasons, refusals and problems of the core are tagged, so that the editor finds their translation', () => {
  const files = filesWithSentences().filter(path => !inEnglish.test(path));
  const untagged = files.flatMap(path => untaggedWords(path, read(path)).map(at => `${path}:${at}`));
  assert.deepEqual(untagged, []);
});

test('words of the core without a tag are found', () => {
  const source = `
    throw new Refusal('no file can hold it');
    const a = ok ? err(\`the \${name} is gone\`) : err(phrase\`the \${name} is here\`);
    const b = { expected: isLast ? 'the end of the file' : phrase\`a comma or so\`, code: 'any old code' };`;
  assert.deepEqual(untaggedWords('planted.ts', source), [
    '2: no file can hold it',
    '3: the {0} is gone',
    '4: the end of the file',
  ]);
});

/** Answers every field of an error's details, in whatever way its sentence uses it. */
const details = new Proxy({}, { get: () => ({ join: () => '', map: () => [], toString: () => '', toJSON: () => '' }) });

test('reasons of the Studio plugin are found, with holes for what it fills in', () => {
  const luau = `
    return { code = "stale_id", reason = "It is gone." }
    fail(outcome, "engine", \`{name} could not be set: {problem}.\`)
    fail("one type name")
    fail(later.outcome, moved.code, \`{moved.reason} So it stays.\`)
    error("a bug of ours")`;
  assert.deepEqual(collectReasons(luau), [
    'It is gone.',
    '{0} could not be set: {1}.',
    'one type name',
    '{0} So it stays.',
  ]);
});

test('every failure of the catalogue has a translation, the sentence and the next step', () => {
  const german = textsOf('l10n/bundle.l10n.de.json');
  for (const [code, row] of Object.entries(errorCatalogue)) {
    assert.ok(german[row.message(details as never).template], `${code}: message`);
    assert.ok(german[row.personHint ?? row.hint], `${code}: hint`);
  }
});

test('a person reads failures and summaries in their language, with the names as they are', () => {
  const german = textsOf('l10n/bundle.l10n.de.json');
  const l10n = {
    t: (text: string, ...values: (string | number)[]) => plainL10n.t(german[text] ?? text, ...values),
  };
  assert.equal(
    personSentence(new AppError('FILE_CHANGED', { file: 'src/Comparing.luau' }), l10n),
    'src/Comparing.luau hat sich seit dem Vergleich auf der Disk geändert. Nichts wurde überschrieben. Gleichen Sie erneut ab, um den neuen Stand zu sehen.',
  );
  assert.match(
    personSentence(new AppError('STUDIO_DISCONNECTED', { phase: 'reviewing' }), l10n),
    /brach ab, während entschieden wurde\. Warten Sie/,
  );
  const change = { direction: 'push', outcome: 'applied' } as const;
  const place = { name: 'none', placeId: 1 };
  assert.equal(
    personSummary({ status: 'success', runId: '1', place, changes: [change], overrides: [] }, l10n),
    'Abgleich erfolgreich: 1 nach none übertragen.',
  );
});

test('commands that texts name are there, under that name', () => {
  for (const language of ['', '.de']) {
    const titles = new Set(Object.values(textsOf(`package.nls${language}.json`)));
    for (const text of Object.values(textsOf(`l10n/bundle.l10n${language}.json`)))
      for (const [, title] of text.matchAll(/["“„]Atlas: ([^"“”]+)["“”]/g)) assert.ok(titles.has(title ?? ''), text);
  }
});

test('the manifest names nothing for people but by its texts', () => {
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

test('German addresses people as VS Code does', () => {
  const texts = ['l10n/bundle.l10n.de.json', 'package.nls.de.json'].flatMap(path => Object.values(textsOf(path)));
  const familiar = texts.filter(text => /(?<![\p{L}_-])(du|dich|dir|dein\p{L}{0,2})(?![\p{L}-])/iu.test(text));
  assert.deepEqual(familiar, []);
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
