import { plainText } from '../../../../../src/base/line-ends.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nodeHasher as hasher } from '../../../../../src/adapters/node/hasher.ts';
import { readSections, writeSections } from '../../../../../src/pluto/language/container/byte-sections.ts';
import {
  type Container,
  readContainer,
  readDirtyContainer,
  writeContainer,
} from '../../../../../src/pluto/language/container/container.ts';
import { idsOf, identified, programText } from '../program-text.ts';

const sha256 = (bytes: Uint8Array): string => hasher.sha256(bytes);
const containerOf = (text: string): Container => ({
  meta: { module: 'shop.orders', revision: 3, tool: { name: 'atlas-bridge', version: '1.0.0' } },
  module: identified(text),
  optional: [],
});
const sample =
  'pub class Point {\n    x: float\n\n    fn lengthen(mut self, by: float) {\n        self.x += by // é 😀\n    }\n}\n';
const read = (bytes: Uint8Array) => readContainer(bytes, hasher);
function codeOf(bytes: Uint8Array): string {
  const result = read(bytes);
  return result.ok ? 'ok' : result.error.code;
}
/** A container of the sample with changed sections and a valid checksum. */
function forged(change: (sections: { tag: string; isRequired: boolean; bytes: Uint8Array }[]) => void): Uint8Array {
  const sections = readSections(writeContainer(containerOf(sample), hasher), sha256);
  assert.ok(sections.ok);
  const copy = sections.value.map(section => ({ ...section }));
  change(copy);
  return writeSections(copy, sha256);
}
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

test('reads back text, ids and metadata, and writes the same bytes again', () => {
  fc.assert(
    fc.property(programText, text => {
      const container = containerOf(text);
      const bytes = writeContainer(container, hasher);
      const result = read(bytes);
      assert.ok(result.ok, result.ok ? '' : result.error.reason);
      assert.equal(result.value.module.text, text);
      assert.deepEqual(result.value.meta, container.meta);
      assert.deepEqual(idsOf(result.value.module), idsOf(container.module));
      assert.deepEqual(writeContainer(result.value, hasher), bytes);
    }),
  );
});

test('keeps unknown optional sections unchanged and in order', () => {
  const optional = ['ZZZZ', 'ABCD'].map(tag => ({ tag, isRequired: false, bytes: utf8(tag) }));
  const result = read(writeContainer({ ...containerOf(sample), optional }, hasher));
  assert.ok(result.ok);
  assert.deepEqual(result.value.optional, optional);
});

test('rejects a container that is truncated anywhere', () => {
  const bytes = writeContainer(containerOf(sample), hasher);
  for (let length = 0; length < bytes.length; length += 1)
    assert.match(codeOf(bytes.slice(0, length)), /^(?:not_a_container|truncated|hash_mismatch)$/, String(length));
});

test('rejects a container with any bit flipped', () => {
  const bytes = writeContainer(containerOf(sample), hasher);
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.nat(7), (at, bit) => {
      const changed = bytes.slice();
      changed[at] = (changed[at] ?? 0) ^ (1 << bit);
      assert.notEqual(codeOf(changed), 'ok');
    }),
    { numRuns: 500 },
  );
});

test('rejects random bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, claims) => {
      assert.notEqual(codeOf(claims ? Uint8Array.of(0x50, 0x4c, 0x54, 0x4f, 16, 0, 0, 0, ...bytes) : bytes), 'ok');
    }),
  );
});

test('reports a separate code for each defect of a container with a valid checksum', () => {
  const version = writeContainer(containerOf(sample), hasher);
  version[4] = 17;
  assert.equal(codeOf(version), 'unsupported_version');
  assert.equal(codeOf(forged(sections => sections.splice(1, 1))), 'section_missing');
  assert.equal(codeOf(forged(sections => sections.push(sections[0]!))), 'section_duplicate');
  assert.equal(
    codeOf(forged(sections => sections.push({ tag: 'NEWX', isRequired: true, bytes: utf8('') }))),
    'section_unknown',
  );
  assert.equal(codeOf(forged(sections => (sections[0]!.bytes = utf8('{}')))), 'meta_malformed');
  assert.equal(codeOf(forged(sections => (sections[1]!.bytes = Uint8Array.of(0xff)))), 'text_malformed');
  assert.equal(codeOf(forged(sections => (sections[2]!.bytes = utf8('[')))), 'outline_malformed');
  assert.equal(codeOf(forged(sections => (sections[1]!.bytes = utf8('fn other() {}\n')))), 'outline_disagrees');
  const twice = forged(sections => {
    const [id] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(new TextDecoder().decode(sections[2]!.bytes)) ?? [''];
    const text = new TextDecoder().decode(sections[2]!.bytes).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, id);
    sections[2]!.bytes = utf8(text);
  });
  assert.equal(codeOf(twice), 'id_duplicate');
});

test('reads a container whose outline does not match its text, for repair', () => {
  const dirty = readDirtyContainer(
    forged(sections => (sections[1]!.bytes = utf8('fn other() {}\n'))),
    hasher,
  );
  assert.ok(dirty.ok);
  assert.equal(dirty.value.disagreement?.code, 'outline_disagrees');
  assert.deepEqual(
    [dirty.value.module.text, dirty.value.outline.map(({ name }) => name), idsOf(dirty.value.module)],
    ['fn other() {}\n', ['Point'], [undefined]],
  );
});

test('stores text with LF line ends and without a byte-order mark', () => {
  assert.equal(plainText('\uFEFFfn f() {\r\n}\r\n'), 'fn f() {\n}\n');
});
