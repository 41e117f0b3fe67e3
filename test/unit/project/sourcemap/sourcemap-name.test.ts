import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourcemapName, type SourcemapSettings } from '../../../../src/project/sourcemap/sourcemap-name.ts';

const luauLsp = { enabled: true, generatorCommand: '', sourcemapFile: 'sourcemap.json' };
const nameOf = (more: Partial<SourcemapSettings>): string | undefined =>
  sourcemapName({ autoWrite: undefined, luauLsp: undefined, ...more });

test('writes the sourcemap for the Luau language server without a setting', () => {
  assert.equal(nameOf({ luauLsp }), 'sourcemap.json');
  assert.equal(nameOf({}), undefined);
});

test('respects the setting over everything else', () => {
  assert.equal(nameOf({ autoWrite: false, luauLsp }), undefined);
  assert.equal(nameOf({ autoWrite: true }), 'sourcemap.json');
  assert.equal(nameOf({ autoWrite: true, luauLsp: { ...luauLsp, enabled: false } }), 'sourcemap.json');
});

test('writes nothing when the language server uses no sourcemap or has its own generator', () => {
  assert.equal(nameOf({ luauLsp: { ...luauLsp, enabled: false } }), undefined);
  assert.equal(nameOf({ luauLsp: { ...luauLsp, generatorCommand: 'argon sourcemap --watch' } }), undefined);
});

test('writes the file that the language server reads, but never one outside the project', () => {
  const fileFor = (sourcemapFile: unknown): string | undefined => nameOf({ luauLsp: { ...luauLsp, sourcemapFile } });
  assert.equal(fileFor('build/map.json'), 'build/map.json');
  for (const outside of [
    '../map.json',
    '/etc/map.json',
    'C:\\map.json',
    'a/../../map.json',
    '\\\\host\\map.json',
    '.bashrc',
    7,
  ])
    assert.equal(fileFor(outside), 'sourcemap.json', String(outside));
});
