import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import fc from 'fast-check';
import type { LuauVm } from '../../../src/headless-studio/vm.ts';
import { encodeMsgpack } from '../../../src/protocol/msgpack/encode.ts';
import { startTestVm } from '../../harness/luau-vm.ts';

interface Vector {
  readonly name: string;
  readonly hex: string;
  readonly value?: unknown;
  readonly error?: string;
}
interface Vectors {
  readonly both: readonly Vector[];
  readonly decode: readonly Vector[];
  readonly refuse: readonly Vector[];
}

const file = new URL('../../fixtures/wire/msgpack.json', import.meta.url);
const vectors = JSON.parse(await readFile(file, 'utf8')) as Vectors;
const floats: Readonly<Record<string, number>> = { inf: Infinity, '-inf': -Infinity, nan: NaN, '-0': -0 };

/** The fixture's notation, as Luau has it: nil members vanish, 64-bit integers are doubles, an empty map is an empty array. */
function inLuau(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, value.findLastIndex(item => item !== null) + 1).map(inLuau);
  if (typeof value !== 'object' || value === null) return value;
  const [[key, inner] = ['', undefined]] = Object.entries(value);
  if (key === '$bin') return new Uint8Array(Buffer.from(String(inner), 'hex'));
  if (key === '$float') return floats[String(inner)];
  if (key === '$bigint') return Number(inner);
  const members = Object.entries(value).filter(([, item]) => item !== null);
  return members.length === 0 ? [] : Object.fromEntries(members.map(([name, item]) => [name, inLuau(item)]));
}

let vm: LuauVm;
before(async () => {
  vm = await startTestVm();
});

const decode = (bytes: Uint8Array) => {
  const [decoded] = vm.call('plugin/core/msgpack', 'decode', bytes) as unknown as [
    { ok: boolean; value?: unknown; reason?: { code: string } },
  ];
  return decoded;
};

for (const vector of [...vectors.both, ...vectors.decode]) {
  test(`the plugin reads ${vector.name} as the bridge writes it`, () => {
    const decoded = decode(Buffer.from(vector.hex, 'hex'));
    const expected = inLuau(vector.value);
    assert.deepEqual(decoded, expected === null ? { ok: true } : { ok: true, value: expected });
  });
}

const tolerated = new Set(['key that is not UTF-8', 'key that comes twice', 'key __proto__']);
for (const vector of vectors.refuse.filter(({ name }) => !tolerated.has(name))) {
  test(`the plugin answers with a reason to ${vector.name}`, () => {
    const decoded = decode(Buffer.from(vector.hex, 'hex'));
    assert.equal(decoded.ok, false);
    assert.match(decoded.reason?.code ?? '', /^body_/);
  });
}

test('the plugin reads what the encoder of the bridge writes', () => {
  const { tree } = fc.letrec<{ tree: unknown; list: unknown; map: unknown }>(tie => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.boolean(),
      fc.double({ noNaN: true }).map(value => value + 0),
      fc.integer(),
      fc.string({ unit: 'grapheme' }),
      tie('list'),
      tie('map'),
    ),
    list: fc.array(tie('tree'), { minLength: 1, maxLength: 20 }),
    map: fc.dictionary(
      fc.string({ minLength: 1 }).filter(key => key !== '__proto__'),
      tie('tree'),
      { minKeys: 1, noNullPrototype: true },
    ),
  }));
  fc.assert(
    fc.property(tree, value => {
      assert.deepEqual({ ...decode(encodeMsgpack({ value })) }, { ok: true, value: { value } });
    }),
  );
});

test('no bytes raise an error in the plugin', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), bytes => {
      assert.equal(typeof decode(bytes).ok, 'boolean');
    }),
  );
});
