import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { MESSAGE_LIMITS } from '../../../../src/protocol/limits.ts';
import { decodeMsgpack, decodeMsgpackPausable } from '../../../../src/protocol/msgpack/decode.ts';
import { encodeMsgpack, encodeMsgpackPausable, LazyMap } from '../../../../src/protocol/msgpack/encode.ts';
import { runToEnd } from '../../../../src/base/time-slice.ts';
import { MsgpackError } from '../../../../src/protocol/msgpack/msgpack-error.ts';
import { MAX_BODY_BYTES, MAX_DEPTH } from '../../../../src/protocol/limits.ts';

interface Vector {
  readonly name: string;
  readonly value: unknown;
  readonly hex: string;
}
interface Vectors {
  readonly both: readonly Vector[];
  readonly decode: readonly Vector[];
  readonly refuse: readonly { readonly name: string; readonly error: string; readonly hex: string }[];
}
const file = new URL('../../../fixtures/wire/msgpack.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors;

const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const floats: Readonly<Record<string, number>> = { inf: Infinity, '-inf': -Infinity, nan: NaN, '-0': -0 };

/** The value that an entry of the vectors describes. */
function valueOf(view: unknown): unknown {
  if (Array.isArray(view)) return view.map(valueOf);
  if (typeof view !== 'object' || view === null) return view;
  const [[key, inner] = [undefined, undefined]] = Object.entries(view);
  if (key === '$bin') return bytesOf(String(inner));
  if (key === '$float') return floats[String(inner)];
  if (key === '$bigint') return BigInt(String(inner));
  return Object.fromEntries(Object.entries(view).map(([name, value]) => [name, valueOf(value)]));
}

for (const { name, value, hex } of vectors.both) {
  test(`writes ${name}`, () => assert.equal(hexOf(encodeMsgpack(valueOf(value))), hex));
  test(`reads ${name}`, () => assert.deepEqual(decodeMsgpack(bytesOf(hex)), valueOf(value)));
}
for (const { name, value, hex } of vectors.decode)
  test(`reads ${name}`, () => assert.deepEqual(decodeMsgpack(bytesOf(hex)), valueOf(value)));

const isCode = (code: string) => (error: unknown) => error instanceof MsgpackError && error.code === code;
for (const { name, error, hex } of vectors.refuse)
  test(`refuses ${name}: ${error}`, () => assert.throws(() => decodeMsgpack(bytesOf(hex)), isCode(error)));

const { tree: anyMessage } = fc.letrec(tie => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.double(),
    fc.float(),
    fc.maxSafeInteger(),
    fc.string({ unit: 'grapheme' }),
    fc.uint8Array(),
    fc.array(tie('tree'), { maxLength: 20 }),
    fc
      .dictionary(fc.string(), tie('tree'), { maxKeys: 20, noNullPrototype: true })
      .filter(map => !Object.hasOwn(map, '__proto__')),
  ),
}));

test('reads written values as the same values', () => {
  fc.assert(fc.property(anyMessage, value => assert.deepEqual(decodeMsgpack(encodeMsgpack(value)), value)));
});

test('writes the shortest head for the length of a text in bytes', () => {
  const heads = [
    { below: 0x20, size: 1 },
    { below: 0x100, size: 2 },
    { below: 0x10000, size: 3 },
    { below: Infinity, size: 5 },
  ];
  for (const unit of ['a', 'ü', '€', '😀'])
    for (const bytes of [0x1f, 0x20, 0xff, 0x100, 0xffff, 0x10000])
      for (const count of [Math.floor(bytes / Buffer.byteLength(unit)), Math.ceil(bytes / Buffer.byteLength(unit))]) {
        const text = unit.repeat(count);
        const length = Buffer.byteLength(text);
        const written = encodeMsgpack([text, text, 'end']);
        assert.deepEqual(decodeMsgpack(written), [text, text, 'end']);
        const head = heads.find(({ below }) => length < below)?.size ?? Number.NaN;
        assert.equal(written.length, 1 + 2 * (head + length) + 4, `${length} bytes of ${unit}`);
      }
});

test('writes the same bytes in pieces', () => {
  const inPieces = (value: unknown): Uint8Array => Buffer.concat(runToEnd(encodeMsgpackPausable(value)));
  fc.assert(fc.property(anyMessage, value => assert.equal(hexOf(inPieces(value)), hexOf(encodeMsgpack(value)))));
  const project = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, id) => [`id ${id}`, { Source: 'x'.repeat(id % 500), Children: [id] }]),
  );
  assert.deepEqual(decodeMsgpack(inPieces({ instances: project, left: undefined })), { instances: project });
});

test('writes members that are created on demand like others, at any depth', () => {
  const inPieces = (value: unknown): Uint8Array => Buffer.concat(runToEnd(encodeMsgpackPausable(value)));
  const members = fc.array(
    fc.tuple(
      fc.string().filter(name => name !== '__proto__'),
      anyMessage,
    ),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(members, fc.boolean(), (given, isDeep) => {
      // In a plain object, numeric names are first.
      const known = Object.fromEntries(given);
      const entries = Object.entries(known);
      const later = new LazyMap(entries.length, entries);
      const wrap = (value: unknown): unknown => (isDeep ? { a: { b: [value] } } : { instances: value });
      const plain = hexOf(encodeMsgpack(wrap(known)));
      assert.equal(hexOf(inPieces(wrap(later))), plain);
      assert.equal(hexOf(encodeMsgpack(wrap(later))), plain);
    }),
  );
});

test('pauses at least every 128 kB when it writes large data', () => {
  const instances = Object.fromEntries(Array.from({ length: 1_000 }, (_, id) => [id, { Source: 'x'.repeat(1_000) }]));
  const steps = encodeMsgpackPausable({ instances });
  let pauses = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) pauses += 1;
  const lengths = step.value.map(piece => piece.byteLength);
  assert.ok(lengths.length >= 10 && pauses >= lengths.length && Math.max(...lengths) < 128 * 1024, lengths.join());
});

test('writes no 64-bit integers, which the plugins cannot read', () => {
  fc.assert(
    fc.property(fc.oneof(fc.maxSafeInteger(), fc.double()), number => {
      const [tag] = encodeMsgpack(number);
      assert.ok(tag !== 0xcf && tag !== 0xd3);
    }),
  );
});

test('returns a value or a MsgpackError for any bytes', () => {
  const check = (bytes: Uint8Array): void => {
    try {
      decodeMsgpack(bytes);
    } catch (error) {
      assert.ok(error instanceof MsgpackError, String(error));
    }
  };
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), check), { numRuns: 2000 });
  fc.assert(
    fc.property(anyMessage, fc.nat(), fc.integer({ min: 0, max: 255 }), (value, at, byte) => {
      const bytes = encodeMsgpack(value);
      bytes[at % bytes.length] = byte;
      check(bytes);
      check(bytes.subarray(0, at % bytes.length));
    }),
    { numRuns: 2000 },
  );
});

test('reads and writes values up to the depth limit, and refuses deeper ones', () => {
  const nested = (levels: number): unknown => (levels === 0 ? null : [nested(levels - 1)]);
  assert.deepEqual(decodeMsgpack(encodeMsgpack(nested(MAX_DEPTH))), nested(MAX_DEPTH));
  assert.throws(() => encodeMsgpack(nested(MAX_DEPTH + 1)), isCode('too_deep'));
  const bomb = new Uint8Array(1_000_000).fill(0x91);
  assert.throws(() => decodeMsgpack(bomb), isCode('too_deep'));
});

test('refuses a message beyond the size limit without reading it', () => {
  assert.throws(() => decodeMsgpack(new Uint8Array(MAX_BODY_BYTES + 1)), isCode('too_large'));
});

test('skips undefined members, and refuses unsupported types', () => {
  assert.equal(hexOf(encodeMsgpack({ a: undefined, b: 1 })), '81a16201');
  assert.equal(hexOf(encodeMsgpack(2n ** 40n)), hexOf(encodeMsgpack(2 ** 40)));
  for (const value of [() => 1, Symbol('x'), new Map(), new Date(0), 2n ** 53n + 1n])
    assert.throws(() => encodeMsgpack({ value }), isCode('unsupported'));
});

test('reads a message in the middle of a larger buffer', () => {
  const around = new Uint8Array([0xc1, ...encodeMsgpack({ a: 1.5 }), 0xc1]);
  assert.deepEqual(decodeMsgpack(around.subarray(1, around.length - 1)), { a: 1.5 });
});

test('refuses more values than the limit before it allocates them', () => {
  const maps = (count: number): Uint8Array => {
    const bytes = new Uint8Array(count + 5).fill(0x80);
    bytes[0] = 0xdd;
    new DataView(bytes.buffer).setUint32(1, count);
    return bytes;
  };
  assert.equal((decodeMsgpack(maps(1_000)) as unknown[]).length, 1_000);
  const before = process.memoryUsage().heapUsed;
  assert.throws(() => decodeMsgpack(maps(60_000_000)), isCode('too_many'));
  const limits = { bytes: 1000, depth: 8, elements: 100, members: 2, text: 10 };
  assert.throws(() => decodeMsgpack(encodeMsgpack({ a: 1, b: 2, c: 3 }), limits), isCode('too_many'));
  for (const long of ['a'.repeat(11), new Uint8Array(11), { ['a'.repeat(11)]: 1 }])
    assert.throws(() => decodeMsgpack(encodeMsgpack(long), limits), isCode('too_large'));
  assert.deepEqual(decodeMsgpack(encodeMsgpack({ a: 'b'.repeat(10), c: 1 }), limits), { a: 'b'.repeat(10), c: 1 });
  assert.ok(process.memoryUsage().heapUsed - before < 10_000_000);
});

test('pauses while it reads many values, a long text and long bytes', () => {
  for (const value of [
    Array.from({ length: 100_000 }, (_, index) => [index]),
    'xü'.repeat(500_000),
    new Uint8Array(1e6),
  ]) {
    const work = decodeMsgpackPausable(encodeMsgpack(value), MESSAGE_LIMITS);
    let pauses = 0;
    let step = work.next();
    for (; step.done !== true; step = work.next()) pauses += 1;
    assert.deepEqual(step.value, value);
    assert.ok(pauses > 10, `${pauses} pauses`);
  }
});
