import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AppError } from '../../../../src/base/errors.ts';
import { coreText, personSentence } from '../../../../src/vscode/localization/person-sentence.ts';
import { translating } from '../../../../src/vscode/localization/known-phrases.ts';
import { plainL10n } from '../../../../scripts/review-page/plain-l10n.ts';

const bundle = JSON.parse(
  readFileSync(new URL('../../../../l10n/bundle.l10n.de.json', import.meta.url), 'utf8'),
) as Record<string, string>;
const german = { t: translating({ bundle, t: (text, ...values) => plainL10n.t(bundle[text] ?? text, ...values) }) };
const said = (text: string): string => coreText(text, german);

test('a reason that came as text is translated with the names in it as they are', () => {
  assert.equal(
    said('its parent Map is made from map.model.json that cannot have children; add it by hand'),
    'die übergeordnete Instanz Map entsteht aus map.model.json und kann nichts Untergeordnetes aufnehmen; fügen Sie es von Hand hinzu',
  );
  assert.equal(said('Studio holds 3f2a'), 'in Studio steht 3f2a');
});

test('what a reason tells of another one is translated too', () => {
  assert.equal(
    said('its Source is made from a data file, which stays as it is (already written: src/a.luau, src/b.luau)'),
    'sein Quelltext entsteht aus einer Datendatei, die bleibt, wie sie ist (bereits geschrieben: src/a.luau, src/b.luau)',
  );
  assert.equal(said('Player: expected true or false'), 'Player: Erwartet: true oder false');
});

test('a problem of a project file is translated, whatever was expected there', () => {
  const cases = {
    'expected the tree to be an object': 'Erwartet: der Baum als Objekt',
    'expected "," or "}"': 'Erwartet: "," oder "}"',
    'expected true or false, not "yes"': 'Erwartet: true oder false, nicht "yes"',
    'expected one of "Part", "Folder" or 7 more, not "Prat"':
      'Erwartet: eines von "Part", "Folder" oder 7 weiteren, nicht "Prat"',
    'expected a string or an object': 'Erwartet: eine Zeichenkette oder ein Objekt',
    'expected each of "syncRules" to be an object': 'Erwartet: jeder Eintrag von "syncRules" als Objekt',
    'PRNT chunk: 3 bytes too few at byte 12': 'PRNT chunk: 3 Bytes zu wenig bei Byte 12',
  };
  for (const [english, expected] of Object.entries(cases)) assert.equal(said(english), expected);
});

test('an error says its reason in the language of the sentence around it', () => {
  const error = new AppError('MODEL_UNREADABLE', { file: 'a.rbxm', reason: 'it is not UTF-8' });
  assert.match(personSentence(error, german), /^a\.rbxm ließ sich nicht lesen: es ist kein UTF-8\. /);
  const project = { file: 'default.project.json', line: 1, column: 2, expected: 'a JSON value' };
  assert.match(personSentence(new AppError('PROJECT_INVALID', project), german), /: erwartet wurde ein JSON-Wert\./);
});

test('words of others stay as they are', () => {
  for (const foreign of [
    "ENOENT: no such file or directory, open 'a b.luau'",
    'fatal: could not read Username for https://example.com',
    'Workspace.Part of the game',
    '',
  ])
    assert.equal(said(foreign), foreign);
});

test('each text with values in it is found again by what it says, as itself or as one that reads the same', () => {
  for (const [template, translation] of Object.entries(bundle)) {
    const words = template.replaceAll(/\{\d\}|\s/g, '');
    if (!template.includes('{0}') || words.length < 5 || !/\p{L}/u.test(words)) continue;
    const values = ['Xone', 'Xtwo', 'Xthree', 'Xfour', 'Xfive'];
    assert.equal(said(plainL10n.t(template, ...values)), plainL10n.t(translation, ...values), template);
  }
});

test('an editor that speaks English shows what the core said', () => {
  const english = { t: translating({ bundle: undefined, t: plainL10n.t }) };
  assert.equal(coreText('Studio holds 3f2a', english), 'Studio holds 3f2a');
});

test('thousands of texts are read like the first one, and one that comes again like before', () => {
  const text = (at: number): string => `src/file${at}.luau: it reads otherwise (already written: src/a${at}.luau, b)`;
  const first = said(text(0));
  assert.match(first, /^src\/file0\.luau: .*bereits geschrieben: src\/a0\.luau, b/);
  for (let at = 1; at < 2000; at += 1) assert.equal(said(text(at)), first.replaceAll(/(?<=file|\/a)0/g, String(at)));
  assert.equal(said(text(0)), first);
});
