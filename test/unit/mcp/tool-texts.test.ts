import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toolCatalog } from '../../../src/app/tool-catalog.ts';
import { plutoTools } from '../../../src/pluto/tools/pluto-catalog.ts';

/** VS Code shows the whole description in its confirmation. */
const MAX_DESCRIPTION = 200;

const listings = [...toolCatalog, ...plutoTools].map(({ listing }) => listing);
const acting = listings.filter(({ annotations }) => !annotations.readOnlyHint);

test('describes each tool that acts in one sentence of at most 200 characters', () => {
  assert.ok(acting.length > 10);
  for (const { name, description } of acting) {
    assert.ok(description.length <= MAX_DESCRIPTION, `${name}: ${description.length} characters`);
    assert.match(description, /^[A-Z][^\n]*\.$/, name);
    assert.doesNotMatch(description, /[.!?]\s/, `${name} has more than one sentence`);
  }
});

test('lists the details for agents with the arguments, where no client shows them to people', () => {
  const details = listings.find(({ name }) => name === 'atlas_sync')?.inputSchema['description'];
  assert.match(String(details), /review_pending/);
});
