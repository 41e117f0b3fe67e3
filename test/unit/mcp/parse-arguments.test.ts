import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as z from 'zod';
import { parseArguments } from '../../../src/mcp/parse-arguments.ts';
import { SyncInput } from '../../../src/protocol/sync-request.ts';

const problemsOf = (raw: unknown): string => {
  const read = parseArguments(SyncInput, raw);
  assert.equal(read.ok, false);
  return read.ok ? '' : read.error;
};

test('[B4] lists the four modes for an unknown mode', () => {
  assert.equal(
    problemsOf({ mode: 'turbo' }),
    'mode: must be one of: standard, manual, fastfail, dryrun, but is "turbo"',
  );
});

test('lists every problem with its path', () => {
  const problems = problemsOf({
    mode: 7,
    overrides: [{ id: 'a', direction: 'sideways', studioHash: 5 }, 5, { direction: null, extra: 1 }],
  });
  for (const part of [
    'mode: must be one of: standard, manual, fastfail, dryrun, but is 7',
    'overrides[0].direction: must be one of: push, pull, merge, but is "sideways"',
    'overrides[0].studioHash: must be a string, but is 5',
    'overrides[1]: must be an object, but is 5',
    'overrides[2].id: is missing; must be a string',
    'overrides[2].direction: must be one of: push, pull, merge, but is null',
    'overrides[2]: unknown key extra; allowed: id, direction, text, studioHash, diskHash, subtreeHash, expectedProperties',
  ])
    assert.ok(problems.includes(part), `${part}\nin\n${problems}`);
});

test('[A5] treats null for an optional argument as absent', () => {
  const override = { id: 'a', direction: 'push' as const };
  const read = parseArguments(SyncInput, {
    mode: null,
    studio: null,
    overrides: [{ ...override, studioHash: null, expectedProperties: null }],
  });
  assert.deepEqual(read, { ok: true, value: { mode: 'standard', overrides: [override] } });
  assert.deepEqual(parseArguments(SyncInput, { overrides: null }), {
    ok: true,
    value: { mode: 'standard', overrides: [] },
  });
});

test('lists all alternatives for a value that matches none', () => {
  assert.equal(
    problemsOf({ overrides: [{ id: 'a', direction: 'push', expectedProperties: { Size: null } }] }),
    'overrides[0].expectedProperties.Size: must be one of: true or false, a number, a string, an object, but is null',
  );
});

test('refuses a list instead of an object, and an object instead of a list', () => {
  assert.equal(problemsOf([]), 'arguments: must be an object, but is a list');
  assert.equal(problemsOf({ overrides: {} }), 'overrides: must be a list, but is an object');
});

test('names the limit for a value beyond it', () => {
  const schema = z.strictObject({ line: z.int().min(1), id: z.string().min(1), list: z.array(z.int()).max(2) });
  const read = parseArguments(schema, { line: 0, id: '', list: [1, 2, 3] });
  assert.equal(
    read.ok ? '' : read.error,
    'line: must be at least 1, but is 0; id: must have at least 1 character, but is ""; list: must have at most 2 entries, but is a list',
  );
});

test('truncates long text in a message', () => {
  assert.ok(problemsOf({ mode: 'x'.repeat(5000) }).length < 200);
});

test('refuses a key __proto__ at any depth', () => {
  const reserved: unknown = JSON.parse('{"__proto__": null}');
  assert.equal(problemsOf(reserved), 'arguments: unknown key __proto__');
  const overrides = [{ id: 'a', direction: 'push', expectedProperties: JSON.parse('{"__proto__": {"Bool": true}}') }];
  assert.equal(problemsOf({ overrides }), 'overrides[0].expectedProperties: unknown key __proto__');
});

test('returns arguments or a sentence for any input', () => {
  fc.assert(
    fc.property(fc.jsonValue(), raw => {
      const read = parseArguments(SyncInput, raw);
      assert.ok(read.ok ? read.value.mode.length > 0 : read.error.length > 0);
    }),
  );
});
