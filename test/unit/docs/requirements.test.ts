import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = resolve(fileURLToPath(import.meta.url), '../../..');
const numbered = (prefix: string, many: number): readonly string[] =>
  Array.from({ length: many }, (_, at) => `${prefix}-${String(at + 1).padStart(3, '0')}`);
/** The requirements of multi-root retrieval. */
const required = [...numbered('FR', 17), ...numbered('SC', 4)];

const unproven = (texts: readonly string[]): readonly string[] => {
  const names = texts.flatMap(text =>
    Array.from(text.matchAll(/\btest\(\s*(['"`])(.*?)\1/gs), match => match[2] ?? ''),
  );
  return required.filter(id => !names.some(name => name.includes(id)));
};

test('FR-015 every requirement and success criterion is in the name of a test', () => {
  const files = globSync(['integration/docs/*.test.ts', 'unit/docs/**/*.test.ts'], { cwd: folder });
  const texts = files.map(file => readFileSync(join(folder, file), 'utf8'));
  assert.deepEqual(unproven(texts), []);
});

test('finds a requirement that no test cites', () => {
  const all = required.map(id => ['te', `st('${id} holds', () => {});`].join(''));
  assert.deepEqual(unproven(all), []);
  assert.deepEqual(unproven(all.slice(1)), ['FR-001']);
});
