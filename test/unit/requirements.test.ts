import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Requirements, requirements as promises } from '../requirements.ts';
import { specLines } from '../spec-lines.ts';

const folder = resolve(fileURLToPath(import.meta.url), '../..');
const requirements: Requirements = { ...promises, ...specLines };

interface Problems {
  readonly unproven: readonly string[];
  readonly unknown: readonly string[];
}

/** Ids are in the names of tests. `inPlace` is a test in the Luau VM; in Luau files a name is a key of a table. */
function check(list: Requirements, texts: readonly string[]): Problems {
  const cited = new Set(
    texts
      .flatMap(text =>
        Array.from(text.matchAll(/(?:\b(?:test|inPlace)\(\s*|^\t\[)(['"`])(.*?)\1/gms), match => match[2]!),
      )
      .flatMap(idsIn),
  );
  return {
    unproven: Object.keys(list).filter(id => !cited.has(id)),
    unknown: Array.from(cited).filter(id => list[id] === undefined),
  };
}
const idsIn = (name: string): readonly string[] => Array.from(name.matchAll(/\[([A-Z]\d+)\]/g), match => match[1]!);

test('a test proves every promise, and every cited id is a promise', () => {
  const files = globSync(['**/*.{test,contract}.ts', '../studio-plugin/test/*.test.luau'], {
    cwd: folder,
    exclude: ['**/node_modules/**'],
  });
  const found = check(
    requirements,
    files.map(file => readFileSync(join(folder, file), 'utf8')),
  );
  assert.deepEqual(
    found.unproven.map(id => `${id}: ${requirements[id]}`),
    [],
    'no test cites these',
  );
  assert.deepEqual(found.unknown, [], 'cited, but neither in test/requirements.ts nor in test/spec-lines.ts');
});

test('the check finds an unproven promise and an unknown id', () => {
  const list = { P1: 'a', P2: 'b' };
  const named = (name: string): string => ['te', `st('${name}', () => {});`].join('');
  assert.deepEqual(check(list, [named('[P2] it holds')]), { unproven: ['P1'], unknown: [] });
  assert.deepEqual(check(list, [named('[P1] [P9] it holds')]), { unproven: ['P2'], unknown: ['P9'] });
  assert.deepEqual(check(list, [`${named('[P1] holds')} // [P2]`]), { unproven: ['P2'], unknown: [] });
});
