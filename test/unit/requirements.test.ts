import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Requirement, requirements as promises } from '../requirements.ts';
import { specLines } from '../spec-lines.ts';

const folder = resolve(fileURLToPath(import.meta.url), '../..');
const requirements: Readonly<Record<string, Requirement>> = { ...promises, ...specLines };

interface Problems {
  readonly unproven: readonly string[];
  readonly unknown: readonly string[];
  readonly proven: readonly string[];
}

/** Ids stand in the names of tests (`inPlace` is a test in the Luau VM; there a name is a key of a table): a test that is named so and fails shows which promise is broken. */
function check(list: Readonly<Record<string, Requirement>>, texts: readonly string[]): Problems {
  const cited = new Set(
    texts
      .flatMap(text =>
        Array.from(text.matchAll(/(?:\b(?:test|inPlace)\(\s*|^\t\[)(['"`])(.*?)\1/gms), match => match[2]!),
      )
      .flatMap(idsIn),
  );
  const ids = Object.keys(list);
  return {
    unproven: ids.filter(id => list[id]?.later === undefined && !cited.has(id)),
    unknown: Array.from(cited).filter(id => list[id] === undefined),
    proven: ids.filter(id => list[id]?.later !== undefined && cited.has(id)),
  };
}
const idsIn = (name: string): readonly string[] => Array.from(name.matchAll(/\[([A-Z]\d+)\]/g), match => match[1]!);

test('every promise is proven by a test that cites it, and every citation is a promise', () => {
  const files = globSync(['**/*.{test,contract}.ts', '../studio-plugin/test/*.test.luau'], {
    cwd: folder,
    exclude: ['**/node_modules/**'],
  });
  const found = check(
    requirements,
    files.map(file => readFileSync(join(folder, file), 'utf8')),
  );
  const describe = (id: string): string => `${id}: ${requirements[id]?.promise}`;
  assert.deepEqual(found.unproven.map(describe), [], 'no test cites these');
  assert.deepEqual(found.unknown, [], 'cited, but neither in test/requirements.ts nor in test/spec-lines.ts');
  assert.deepEqual(found.proven.map(describe), [], 'proven by now: remove "later"');
});

test('an id that nobody cites, an unknown id, and one that is kept sooner than said are found', () => {
  const list = { P1: { promise: 'a', source: 's' }, P2: { promise: 'b', source: 's', later: 'soon' } };
  const named = (name: string): string => ['te', `st('${name}', () => {});`].join('');
  assert.deepEqual(check(list, [named('it holds')]), { unproven: ['P1'], unknown: [], proven: [] });
  assert.deepEqual(check(list, [named('[P1] [P9] it holds')]), { unproven: [], unknown: ['P9'], proven: [] });
  assert.deepEqual(check(list, [`${named('[P1] holds')} // [P3]`, named('also [P2]')]), {
    unproven: [],
    unknown: [],
    proven: ['P2'],
  });
});
