import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { defineTool } from '../../../src/mcp/define-tool.ts';
import { createToolRegistry } from '../../../src/mcp/registry.ts';
import type { Tool, Toolset } from '../../../src/mcp/tool.ts';
import { toolCall } from '../../harness/tool-call.ts';

const named = (name: string, toolset: Toolset): Tool<string> =>
  defineTool({
    name,
    title: name,
    description: name,
    toolset,
    effect: 'read',
    input: z.strictObject({}),
    output: z.object({ answer: z.string() }),
    run: async (deps: string) => ({ answer: `${deps} ${name}` }),
    formatText: ({ answer }) => answer,
  });
const registry = createToolRegistry([named('b', 'sync'), named('a', 'docs'), named('c', 'sync')], 'hello from');

test('keeps the order of tools, in all toolsets and in each', () => {
  const names = (view: { listings: readonly { name: string }[] } | undefined): readonly string[] | undefined =>
    view?.listings.map(listing => listing.name);
  assert.deepEqual(names(registry.all), ['b', 'a', 'c']);
  assert.deepEqual(names(registry.ofToolset('sync')), ['b', 'c']);
  assert.deepEqual(names(registry.ofToolset('docs+sync')), ['b', 'a', 'c']);
  assert.equal(registry.ofToolset('sync+docs'), registry.ofToolset('docs+sync'));
  assert.equal(registry.ofToolset('pluto'), undefined);
  assert.equal(registry.ofToolset('sync+pluto'), undefined);
  assert.equal(registry.ofToolset('constructor'), undefined);
});

test('calls only the tools of its toolset in a view', async () => {
  assert.deepEqual((await registry.all.call('a', {}, toolCall()))?.structuredContent, { answer: 'hello from a' });
  assert.equal(registry.ofToolset('sync')?.call('a', {}, toolCall()), undefined);
});

test('throws when two tools have one name', () => {
  assert.throws(() => createToolRegistry([named('x', 'sync'), named('x', 'docs')], ''), /same name/);
});
