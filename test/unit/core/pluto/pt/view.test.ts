import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { freshIds } from '../../../../../src/core/pluto/identity/ids.ts';
import { compareView } from '../../../../../src/core/pluto/pt/compare-view.ts';
import { readView, writeView } from '../../../../../src/core/pluto/pt/view.ts';
import { sequentialRandom } from '../../../../harness/sequential-random.ts';
import { commentedText, idsOf, identified } from '../program-text.ts';

const hash = 'ab'.repeat(32);
const random = sequentialRandom();
const compare = (view: string, container = identified(''), containerHash = hash) =>
  compareView({ view, container, containerHash, makeId: freshIds(random) });

test('a view that nobody touched reads back as the text of its module, and changes nothing', () => {
  fc.assert(
    fc.property(commentedText, text => {
      const module = identified(text);
      const view = writeView(module, hash);
      assert.equal(readView(view).module.text, text);
      const comparison = compare(view, module);
      assert.deepEqual([comparison.changes, comparison.isStale], [[], false]);
      assert.deepEqual(idsOf(comparison.module), idsOf(module));
    }),
  );
});

test('a view tells what was added, updated and deleted, and keeps the id of what was renamed', () => {
  const module = identified('fn keep() {}\n\nfn old(a: int) {\n    print(a)\n}\n\nfn gone() {}\n');
  const [, old] = module.tree.items;
  assert.ok(old?.kind === 'FunctionDecl');
  const view = writeView(module, hash)
    .replace('fn old(a: int) {\n    print(a)', 'fn renamed(b: string) {\n    b.len()')
    .replace(/\/\/ @uuid: \S+\nfn gone\(\) \{\}\n/, 'class Fresh {}\n');
  const { changes, unchanged, isStale } = compare(view, module);
  const told = changes.map(({ change, name, reason }) => `${change} ${name} ${reason ?? ''}`.trim());
  assert.deepEqual(told.toSorted(), ['added Fresh', 'deleted gone', 'updated renamed hint']);
  assert.equal(changes.find(({ change }) => change === 'updated')?.id, old.id);
  assert.deepEqual([unchanged, isStale], [1, false]);
});

test('a view of an older container says so; one with CRLF and a byte-order mark is read like any other', () => {
  const module = identified('fn keep() {}\n');
  const view = writeView(module, hash);
  assert.equal(compare(view, module, 'cd'.repeat(32)).isStale, true);
  assert.equal(compare(module.text, module).isStale, undefined);
  assert.deepEqual(compare(`\uFEFF${view.replaceAll('\n', '\r\n')}`, module).changes, []);
});

test('what only looks like a hint inside a string stays where it is', () => {
  const id = '00000000-0000-4000-8000-000000000001';
  const text = `fn say() string {\n    return "a\n// @uuid: ${id}\nb"\n}\n`;
  assert.equal(readView(writeView(identified(text), hash)).module.text, text);
});
