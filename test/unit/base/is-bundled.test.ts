import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { isBundled } from '../../../src/base/is-bundled.ts';

const root = resolve(import.meta.dirname, '../../..');

test('distinguishes a module of the bundle from one of the source', () => {
  assert.equal(isBundled('file:///ext/dist/extension.js'), true);
  assert.equal(isBundled('file:///ext/dist/app-UBK3Q7.js'), true);
  assert.equal(isBundled(import.meta.url), false);
});

/** Programs that block only themselves. */
const allowed: Readonly<Record<string, string>> = {
  'src/pluto/cli/open-session.ts': 'a command of the command line, whose start time matters',
  'src/pluto/program/host/ignored-files.ts':
    'runs in the process of a Pluto program, whose system calls are synchronous',
};
const looks = /\bexistsSync\b/;

test('finds files of the program without reading the disk, which would block the editor', () => {
  const found = globSync('src/**/*.ts', { cwd: root }).filter(path =>
    looks.test(readFileSync(join(root, path), 'utf8')),
  );
  assert.deepEqual(
    found.map(path => path.replaceAll('\\', '/')).filter(path => !(path in allowed)),
    [],
  );
  assert.match("import { existsSync } from 'node:fs';", looks);
});
