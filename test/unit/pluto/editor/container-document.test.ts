import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher as hasher } from '../../../../src/adapters/node/hasher.ts';
import { readContainer, writeContainer } from '../../../../src/pluto/language/container/container.ts';
import { readTombstones } from '../../../../src/pluto/language/container/tombstone-section.ts';
import { saveView, viewOfContainer } from '../../../../src/pluto/editor/container-document.ts';
import { sequentialRandom } from '../../../harness/sequential-random.ts';
import { idsOf } from '../language/program-text.ts';
import { containerOf } from '../../../harness/pluto-container.ts';

const text = 'fn one() {}\n\n// stays\nfn two(a: int) int {\n    return a\n}\n';
const before = containerOf(text);
const tool = { name: 'atlas-bridge', version: '0' };
const ports = { hasher, random: sequentialRandom() };
const viewOf = (bytes: Uint8Array): string => {
  const view = viewOfContainer(bytes, hasher);
  assert.ok(view.ok);
  return view.value;
};
const save = (view: string, was = { before }) => saveView({ view, ...was, module: 'made', tool }, ports);
const read = (bytes: Uint8Array) => {
  const container = readContainer(bytes, hasher);
  assert.ok(container.ok);
  return container.value;
};

test('a view that nobody edited gives the bytes that were there', () => {
  const saved = save(viewOf(before));
  assert.ok(saved.ok);
  assert.deepEqual(saved.value.bytes, before);
  assert.equal(saved.value.view, viewOf(before));
});

test('an edit keeps ids, comments and sections that nobody knows, and counts the revision on', () => {
  const saved = save(
    viewOf(before).replace('fn two(a: int)', 'fn renamed(a: int)').replace('return a', 'return a + 1'),
  );
  assert.ok(saved.ok);
  const [was, is] = [read(before), read(saved.value.bytes)];
  assert.deepEqual(idsOf(is.module), idsOf(was.module));
  assert.equal(is.module.text, text.replace('fn two', 'fn renamed').replace('return a', 'return a + 1'));
  assert.equal(is.meta.revision, was.meta.revision + 1);
  assert.deepEqual(is.optional, was.optional);
});

test('what is new gets an id, which the view of the saved container shows', () => {
  const typed = `${viewOf(before)}\nfn three() {}\n`;
  const saved = save(typed);
  assert.ok(saved.ok);
  assert.equal(saved.value.view, viewOf(saved.value.bytes));
  assert.equal(saved.value.view.split('\n').length, typed.split('\n').length + 1);
});

test('a view that does not parse saves nothing and says where', () => {
  const saved = save(viewOf(before).replace('fn one() {}', 'fn one( {}'));
  assert.equal(saved.ok, false);
  assert.match(saved.ok ? '' : saved.error, /^line 2, column \d+: /);
});

test('a container that is gone is made anew, with the ids of the view', () => {
  const saved = saveView({ view: viewOf(before), before: undefined, module: 'made', tool }, ports);
  assert.ok(saved.ok);
  assert.equal(saved.value.view, viewOf(before));
  assert.equal(read(saved.value.bytes).meta.revision, 1);
});

test('a container that cannot be read is not replaced', () => {
  const damaged = save(viewOf(before), { before: before.slice(0, -1) });
  assert.match(damaged.ok ? '' : damaged.error, /cannot be read/);
});

test('an edit leaves out what was known of the old text, and remembers what was deleted', () => {
  const derived = { tag: 'DERV', isRequired: false, bytes: new TextEncoder().encode('{}') };
  const old = read(before);
  const analyzed = writeContainer({ ...old, optional: [...old.optional, derived] }, hasher);
  const saved = save(viewOf(before).replace('fn one() {}\n', ''), { before: analyzed });
  assert.ok(saved.ok);
  const { optional } = read(saved.value.bytes);
  assert.deepEqual(
    optional.map(({ tag }) => tag),
    [...old.optional.map(({ tag }) => tag), 'TOMB'],
  );
  assert.deepEqual(
    readTombstones(optional).map(({ kind, name }) => `${kind} ${name}`),
    ['function one'],
  );
});
