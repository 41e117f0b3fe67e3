import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nodeHasher } from '../../../../../src/adapters/node/hasher.ts';
import { freshIds } from '../../../../../src/pluto/language/identity/ids.ts';
import { compareView } from '../../../../../src/pluto/language/pt/compare-view.ts';
import { isUntouched, readView, writeView } from '../../../../../src/pluto/language/pt/view.ts';
import { sequentialRandom } from '../../../../harness/sequential-random.ts';
import { commentedText, idsOf, identified } from '../program-text.ts';

const hash = 'ab'.repeat(32);
const sha256 = (text: string): string => nodeHasher.sha256(new TextEncoder().encode(text));
const stamp = { fileHash: hash, hash: sha256 };
const random = sequentialRandom();
const compare = (view: string, container = identified(''), containerHash = hash) =>
  compareView({ view, container, containerHash, hash: sha256, makeId: freshIds(random) });

test('reads an unedited view back as the text of its module, without changes', () => {
  fc.assert(
    fc.property(commentedText, text => {
      const module = identified(text);
      const view = writeView(module, stamp);
      assert.equal(readView(view).module.text, text);
      const comparison = compare(view, module);
      assert.deepEqual([comparison.changes, comparison.isStale], [[], false]);
      assert.deepEqual(idsOf(comparison.module), idsOf(module));
    }),
  );
});

test('finds added, updated and deleted declarations, and keeps the id of a renamed one', () => {
  const module = identified('fn keep() {}\n\nfn old(a: int) {\n    print(a)\n}\n\nfn gone() {}\n');
  const [, old] = module.tree.items;
  assert.ok(old?.kind === 'FunctionDecl');
  const view = writeView(module, stamp)
    .replace('fn old(a: int) {\n    print(a)', 'fn renamed(b: string) {\n    b.len()')
    .replace(/\/\/ @uuid: [^\n]+\nfn gone\(\) \{\}\n/, 'class Fresh {}\n');
  const { changes, unchanged, isStale } = compare(view, module);
  const described = changes.map(({ change, name, reason }) => `${change} ${name} ${reason ?? ''}`.trim());
  assert.deepEqual(described.toSorted(), ['added Fresh', 'deleted gone', 'updated renamed hint']);
  assert.equal(changes.find(({ change }) => change === 'updated')?.id, old.id);
  assert.deepEqual([unchanged, isStale], [1, false]);
});

test('detects a view of an older container, and accepts CRLF and a byte-order mark', () => {
  const module = identified('fn keep() {}\n');
  const view = writeView(module, stamp);
  assert.equal(compare(view, module, 'cd'.repeat(32)).isStale, true);
  assert.equal(compare(module.text, module).isStale, undefined);
  assert.deepEqual(compare(`\uFEFF${view.replaceAll('\n', '\r\n')}`, module).changes, []);
});

test('keeps text above the first line, and still finds the origin of the view', () => {
  const module = identified('fn keep() {}\n\nfn theirs() {}\n');
  const moved = identified(module.text.replace('fn theirs() {}', 'fn theirs() {\n    print(2)\n}'));
  for (const above of ['\n', '// license\n\n', '\r\n// license\r\n\r\n']) {
    const view = `${above}${writeView(module, stamp)}`;
    assert.equal(readView(view).module.text, `${above.replaceAll('\r\n', '\n')}${module.text}`);
    const { isStale, changes } = compare(view, moved, 'cd'.repeat(32));
    assert.deepEqual([isStale, changes.map(({ name, moved: who }) => `${name} ${who}`)], [true, ['theirs container']]);
    assert.equal(isUntouched(view, sha256), false);
  }
});

test('keeps text in a string that looks like an id hint', () => {
  const id = '00000000-0000-4000-8000-000000000001';
  const text = `fn say() string {\n    return "a\n// @uuid: ${id}\nb"\n}\n`;
  assert.equal(readView(writeView(identified(text), stamp)).module.text, text);
});

test('names the side that made each change when the container changed too', () => {
  const module = identified('fn mine() {}\n\nfn theirs() {}\n\nfn both() {}\n\nfn gone() {}\n');
  const view = writeView(module, stamp)
    .replace('fn mine() {}', 'fn mine() {\n    print(1)\n}')
    .replace('fn both() {}', 'fn both() {\n    print(1)\n}')
    .replace(/\/\/ @uuid: [^\n]+\nfn gone\(\) \{\}\n/, 'class Fresh {\n    a: int\n}\n');
  const moved = identified(
    module.text
      .replace('fn theirs() {}', 'fn theirs() {\n    print(2)\n}')
      .replace('fn both() {}', 'fn both() {\n    print(2)\n}'),
  );
  const described = compare(view, moved, 'cd'.repeat(32)).changes.map(({ name, moved: who }) => `${name} ${who}`);
  assert.deepEqual(described.toSorted(), ['Fresh view', 'both both', 'gone unknown', 'mine view', 'theirs container']);
});

test('detects edits of a view', () => {
  const view = writeView(identified('fn keep() {}\n'), stamp);
  assert.equal(isUntouched(view, sha256), true);
  assert.equal(isUntouched(`${view}// note\n`, sha256), false);
  assert.equal(isUntouched('fn keep() {}\n', sha256), false);
});
