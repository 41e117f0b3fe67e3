import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTypeText } from '../../../../../src/pluto/language/syntax/parse.ts';

const codes = ({ diagnostics }: { readonly diagnostics: readonly { readonly code: string }[] }): readonly string[] =>
  diagnostics.map(({ code }) => code);

test('parses a type alone, and rejects text after it', () => {
  const good = parseTypeText('Map<string, [geo.Point?]>');
  assert.deepEqual([good.node.kind, codes(good)], ['NamedType', []]);
  assert.deepEqual(codes(parseTypeText('int) {} fn x(')), ['token-expected']);
  assert.deepEqual(codes(parseTypeText('')), ['end-of-file']);
  assert.deepEqual(codes(parseTypeText('['.repeat(10_000))), ['nested-too-deeply']);
});
