import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { generatedPages } from '../../../scripts/generate-docs.ts';
import { errorCatalog } from '../../../src/base/errors.ts';
import { toolCatalog } from '../../../src/app/tool-catalog.ts';

for (const [path, page] of Object.entries(generatedPages))
  test(`${path} is up to date`, () => {
    const written = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
    assert.equal(written, page(), 'run node scripts/generate-docs.ts and review the difference');
  });

test('every code and every tool has a section, and no sentence has an unfilled hole', () => {
  const errors = generatedPages['docs/errors.md']!();
  for (const code of Object.keys(errorCatalog)) assert.ok(errors.includes(`\n### ${code}\n`), code);
  const tools = generatedPages['docs/tools.md']!();
  for (const { listing } of toolCatalog) assert.ok(tools.includes(`\n## ${listing.name}\n`), listing.name);
  assert.doesNotMatch(errors + tools, /undefined|\[object/);
});
