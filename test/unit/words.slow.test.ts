import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { allowed, quoting } from './words/allowed.ts';
import { findWords, type Hit } from './words/find-words.ts';
import { innocent, planted } from './words/planted.ts';
import { retiredAffixes, retiredFiles, retiredNames, retiredSettings, wordRules } from './words/rules.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
/** The English text of the project, without fixtures and generated files. */
const isEnglish = (path: string): boolean =>
  /^(?:(?:src|studio-plugin|scripts|test|docs)\/|l10n\/bundle\.l10n\.json$|package\.(?:nls\.)?json$|examples\/.*\.(?:md|luau)$|media\/.*\.md$|[^/]+\.(?:md|mjs)$)/.test(
    path,
  ) && !/^test\/fixtures\/|\.generated\.|package-lock\.json$/.test(path);
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter(path => path !== '' && isEnglish(path) && existsSync(join(root, path)))
  .filter(path => !quoting.some(place => path.startsWith(place)));

const show = (hit: Hit): string => `${hit.file}:${hit.line}: '${hit.found}' (write: ${hit.instead}): ${hit.context}`;

test('finds no unidiomatic words and no retired names', () => {
  const used = new Set<number>();
  const hits = files
    .flatMap(file => findWords(file, readFileSync(join(root, file), 'utf8')))
    .filter(hit => {
      const index = allowed.findIndex(({ file, line }) => hit.file === file && hit.context.includes(line));
      used.add(index);
      return index < 0;
    });
  assert.equal(hits.length, 0, `\n${hits.map(show).join('\n')}\nThe rules are in test/unit/words/rules.ts.`);
  const unused = allowed.filter((_, index) => !used.has(index));
  assert.deepEqual(unused, [], 'these entries of the allow-list match nothing');
});

test('every entry of the allow-list has a reason', () => {
  for (const { file, reason } of allowed) assert.match(reason, /\w+ \w+/, file);
});

for (const rule of wordRules)
  test(`finds a planted '${rule.name}'`, () => {
    const texts = planted[rule.name] ?? [];
    assert.notEqual(texts.length, 0, 'every rule has a planted violation');
    for (const text of texts) {
      assert.deepEqual(
        findWords('src/a.ts', text)
          .filter(hit => !Object.hasOwn(retiredNames, hit.found))
          .map(hit => hit.instead),
        [rule.instead],
        text,
      );
    }
  });

test('finds each retired name, affix, setting and file name', () => {
  for (const name of [
    ...Object.keys(retiredNames),
    'MOST_FILES',
    'LEAST_LINES',
    'FEW_FILES',
    'READS_AT_ONCE',
    'planInWords',
  ]) {
    assert.ok(
      findWords('src/a.ts', `const a = ${name};`).some(hit => hit.found === name),
      name,
    );
    assert.ok(
      findWords('src/a.luau', `local a = ${name}`).some(hit => hit.found === name),
      name,
    );
    assert.deepEqual(findWords('src/a.ts', `// not ${name}x`), [], `${name} in a longer word`);
  }
  assert.equal(retiredAffixes.length, 5);
  for (const name of Object.keys(retiredSettings)) {
    assert.equal(findWords('src/a.ts', `const a = '${name}';`).length, 1, name);
    assert.equal(findWords('package.json', `{"${name}": 1}`).length, 1, name);
  }
  for (const name of Object.keys(retiredFiles)) assert.equal(findWords(`src/${name}.ts`, '').length, 1, name);
});

test('reads comments and strings of Luau, documents, JSON and JSX', () => {
  for (const [file, text] of [
    ['a.luau', '-- It stands in\n-- the file.'],
    ['a.luau', 'print("What went wrong")'],
    ['a.luau', 'local toldPlayers = 1'],
    ['a.md', 'A process of\nits own.'],
    ['package.nls.json', '{"a": "What went wrong"}'],
    ['a.tsx', 'const a = <p>What went wrong</p>;'],
    ['a.ts', 'const a = `What ${b} went wrong`;'],
  ] as const)
    assert.equal(findWords(file, text).length, 1, text);
});

test('skips innocent text and code that a document quotes', () => {
  for (const text of innocent) assert.deepEqual(findWords('src/a.ts', text), [], text);
  assert.deepEqual(findWords('a.md', 'Write `anew` and\n```sh\nwent anew\n```\n[that](by-itself.md)\n'), []);
});

test('reports the line of a hit', () => {
  const [hit] = findWords('src/a.ts', 'const a = 1;\n/**\n * Fine.\n * Read anew.\n */\n');
  assert.deepEqual([hit?.line, hit?.context], [4, '* Read anew.']);
});
