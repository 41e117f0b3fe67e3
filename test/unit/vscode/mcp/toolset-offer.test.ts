import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CatalogEntry, toolsetOffer } from '../../../../src/vscode/mcp/toolset-offer.ts';

const catalog: readonly CatalogEntry[] = [
  { toolset: 'sync', listing: { name: 'atlas_sync', description: 'Brings both sides in step.' } },
  { toolset: 'tests', listing: { name: 'run_tests', description: 'Runs tests.' } },
  { toolset: 'docs', listing: { name: 'search', description: 'Finds a text.' } },
  { toolset: 'pluto', listing: { name: 'module_check', description: 'Checks a module.' } },
];
const everything = { hasProject: true, hasPluto: true };
const offer = (use: object = {}, tools = catalog) => toolsetOffer(tools, { ...everything, ...use }, '1.2.3');

test('offers a workspace only the toolsets that are useful in it', () => {
  assert.equal(offer().path, '');
  assert.equal(offer({ hasPluto: false }).path, '/sync+tests+docs');
  assert.equal(offer({ hasProject: false }).path, '/docs+pluto');
  assert.equal(offer({ hasProject: false, hasPluto: false }).path, '/docs');
  assert.equal(offer({ hasPluto: false }, catalog.slice(0, 3)).path, '', 'all that there is');
});

test('changes the version only when the tools change', () => {
  const { version } = offer();
  assert.match(version, /^1\.2\.3\+[0-9a-f]{12}$/);
  assert.equal(offer({}, structuredClone([...catalog])).version, version);
  const reworded = catalog.with(2, { toolset: 'docs', listing: { name: 'search', description: 'Finds a word.' } });
  assert.notEqual(offer({}, reworded).version, version);
  assert.notEqual(offer({ hasPluto: false }).version, version);
});
