import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseModule } from '../../../../../src/pluto/language/syntax/parse.ts';
import { runPrograms } from './run-programs.ts';

const code = new URL('../../../../../src/pluto/language/syntax/ast/', import.meta.url);
/** Every node kind that the tree types declare. */
const kinds = readdirSync(code).flatMap(file =>
  Array.from(readFileSync(new URL(file, code), 'utf8').matchAll(/NodeOf<'(\w+)'>/g), match => match[1] ?? ''),
);

test('covers every construct of the language with a program that runs', () => {
  const seen = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('kind' in value && typeof value.kind === 'string') seen.add(value.kind);
    for (const inner of Object.values(value)) look(inner);
  };
  for (const { files, expected } of runPrograms())
    // Refused programs do not run. Systems and served classes are always refused, so their constructs are treated as covered.
    if (expected.refused === '' || /not-supported/.test(expected.refused))
      for (const text of Object.values(files)) look(parseModule(text).tree);
  const missing = kinds.filter(kind => !seen.has(kind) && !kind.startsWith('Broken'));
  assert.deepEqual(missing, []);
  assert.ok(kinds.length > 70, `${kinds.length} kinds`);
});
