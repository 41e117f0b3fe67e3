import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
const page = readFileSync(resolve(root, 'docs/security.md'), 'utf8');

/** A file, or a folder, of tests: whole, or only the name of a file that the text before has the folder of. */
const TEST_NAME = /`((?:test|studio-plugin)\/[\w./-]+|[\w-]+(?:\.slow)?\.test\.(?:ts|luau))`/g;

const namesIn = (text: string): readonly string[] => Array.from(text.matchAll(TEST_NAME), ([, name = '']) => name);

/** Found once, without the packages of the in-host tests: thousands of folders. */
const allTests = globSync('{test,studio-plugin}/**/*.test.{ts,luau}', { cwd: root, exclude: ['**/node_modules/**'] });

/** The tests of a name: the file, or the files in the folder. */
const testsOf = (name: string): readonly string[] =>
  allTests.filter(
    path => path === name || path.startsWith(`${name}/`) || (!name.includes('/') && path.endsWith(`/${name}`)),
  );

/** The rows of the threat model. */
const threats = page
  .slice(0, page.indexOf('\n## '))
  .split('\n')
  .filter(line => line.startsWith('|'))
  // The first two lines are the heading.
  .slice(2)
  .map(line => line.split(/(?<!\\)\|/).map(cell => cell.trim()));

test('every test that docs/security.md names exists', () => {
  const names = namesIn(page);
  assert.ok(names.length > 40, `${names.length} names`);
  const missing = names.filter(
    name => !name.startsWith('test/fixtures') && !name.startsWith('test/webview') && testsOf(name).length === 0,
  );
  assert.deepEqual(missing, []);
});

test('every row of the threat model says what is reached, what stops it, and a test', () => {
  for (const attacker of [
    'a web page',
    'another user of the computer',
    'a hostile project',
    'a hostile place',
    'a git remote',
    'a Studio peer',
    'an agent',
    'a package',
  ])
    assert.ok(
      threats.some(([, who = '']) => who.startsWith(attacker)),
      attacker,
    );
  for (const [, who, reach = '', stops = '', tests = ''] of threats) {
    assert.ok(reach.length > 10 && stops.length > 20, who);
    assert.ok(namesIn(tests).length > 0, `${who}: no test`);
  }
});

test('finds a name of a test that is missing', () => {
  assert.deepEqual(namesIn('see `test/unit/x.test.ts` and `listener.test.ts`, not `x.ts`'), [
    'test/unit/x.test.ts',
    'listener.test.ts',
  ]);
  assert.equal(testsOf('nothing-there.test.ts').length, 0);
  assert.equal(testsOf('listener.test.ts').length, 1);
});
