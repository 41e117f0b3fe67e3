import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly configuration: { readonly properties: Readonly<Record<string, unknown>> };
  };
}

const host = new URL('../host/', import.meta.url);
const { contributes } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Manifest;
const tests = readdirSync(host)
  .filter(name => name.endsWith('.test.ts'))
  .map(name => readFileSync(new URL(name, host), 'utf8'));

/** The ids in a test: in brackets in its title, or in a call that runs, focuses or sets them. */
const cited = (text: string): readonly string[] =>
  Array.from(text.matchAll(/\[(atlas\.[\w.]+)\]|'(atlas\.[\w.]+?)(?:\.focus)?'/g), match => match[1] ?? match[2] ?? '');
const exercised = new Set(tests.flatMap(cited));
const missing = (ids: readonly string[]): readonly string[] => ids.filter(id => !exercised.has(id)).toSorted();

test('every command is run by an in-host test', () => {
  assert.deepEqual(missing(contributes.commands.map(({ command }) => command)), []);
});

test('every view is opened by an in-host test', () => {
  assert.deepEqual(missing(Object.values(contributes.views).flatMap(views => views.map(({ id }) => id))), []);
});

test('every setting is changed by an in-host test', () => {
  assert.deepEqual(missing(Object.keys(contributes.configuration.properties)), []);
});

test('finds an id that no test names, and accepts one in a title', () => {
  assert.deepEqual(missing(['atlas.noSuchCommand']), ['atlas.noSuchCommand']);
  assert.deepEqual(cited("test('[atlas.a.b] does it', () => execute('atlas.c', 'atlas.view.focus'))"), [
    'atlas.a.b',
    'atlas.c',
    'atlas.view',
  ]);
});
