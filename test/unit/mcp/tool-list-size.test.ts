import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toolCatalog } from '../../../src/app/tool-catalog.ts';
import { listTools } from '../../../src/mcp/server.ts';
import { plutoTools } from '../../../src/pluto/tools/pluto-catalog.ts';

/** The usual estimate for English and JSON schemas. */
const BYTES_PER_TOKEN = 4;
const tokensOf = (tools: readonly (typeof toolCatalog)[number][] | typeof plutoTools): number =>
  Buffer.byteLength(JSON.stringify(listTools({ listings: tools.map(({ listing }) => listing) }))) / BYTES_PER_TOKEN;

test('lists the sync tools within 4,000 tokens', () => {
  const tokens = tokensOf(toolCatalog.filter(({ toolset }) => toolset === 'sync'));
  assert.ok(tokens <= 4000, `${tokens} tokens`);
});

test('lists all tools together within 20,000 tokens', () => {
  const tokens = tokensOf(toolCatalog) + tokensOf(plutoTools);
  assert.ok(tokens <= 20_000, `${tokens} tokens`);
});
