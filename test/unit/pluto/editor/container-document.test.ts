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

test('returns the same bytes for an unedited view', () => {
  const saved = save(viewOf(before));
  assert.ok(saved.ok);
  assert.deepEqual(saved.value.bytes, before);
  assert.equal(saved.value.view, viewOf(before));
});

test('keeps ids, comments and unknown sections of an edited view, and increments the revision', () => {
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

test('gives new declarations ids, which the view of the saved container shows', () => {
  const typed = `${viewOf(before)}\nfn three() {}\n`;
  const saved = save(typed);
  assert.ok(saved.ok);
  assert.equal(saved.value.view, viewOf(saved.value.bytes));
  assert.equal(saved.value.view.split('\n').length, typed.split('\n').length + 1);
});

test('saves nothing and reports the position when the view does not parse', () => {
  const saved = save(viewOf(before).replace('fn one() {}', 'fn one( {}'));
  assert.equal(saved.ok, false);
  assert.match(saved.ok ? '' : saved.error, /^line 2, column \d+: /);
});

test('creates a missing container with the ids of the view', () => {
  const saved = saveView({ view: viewOf(before), before: undefined, module: 'made', tool }, ports);
  assert.ok(saved.ok);
  assert.equal(saved.value.view, viewOf(before));
  assert.equal(read(saved.value.bytes).meta.revision, 1);
});

test('does not replace an unreadable container', () => {
  const damaged = save(viewOf(before), { before: before.slice(0, -1) });
  assert.match(damaged.ok ? '' : damaged.error, /cannot be read/);
});

test('drops outdated analysis results and records tombstones when the view is edited', () => {
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
