import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withInitialMemory } from '../../../src/headless-studio/wasm-memory.ts';

const head = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** A custom section before, the memory section, a custom section after. */
const wasm = Uint8Array.from([...head, 0, 3, 1, 97, 5, 5, 4, 1, 1, 1, 2, 0, 2, 1, 98]);

test('rewrites only the memory section', () => {
  assert.deepEqual(Array.from(withInitialMemory(wasm, 300)), [
    ...head,
    // custom section, memory section, custom section
    0,
    3,
    1,
    97,
    5,
    5,
    7,
    1,
    1,
    0xac,
    0x02,
    0x80,
    0x80,
    0x04,
    0,
    2,
    1,
    98,
  ]);
});

test('refuses a module without a memory section', () => {
  assert.throws(() => withInitialMemory(Uint8Array.from(head), 300), /does not declare a memory/);
  assert.throws(() => withInitialMemory(Uint8Array.from([...head, 0, 0x80]), 300), /ends inside a number/);
});
