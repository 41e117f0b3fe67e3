import { test } from 'node:test';
import assert from 'node:assert/strict';
import { sharedStringHash } from '../../../../src/roblox/formats/shared-string-hash.ts';

// From another implementation of RFC 7693; lengths around the block of 128 bytes.
for (const [length, hex] of [
  [0, 'cae66941d9efbd404e4d88758ea67670'],
  [1, '7025e075d5e2f6cde3cc051a31f07660'],
  [3, 'a75c0b0d97360c1ba783496eb6a0395a'],
  [127, '28b1296c7d4807883de6ee4ec04dcc0a'],
  [128, 'a74787004ef589e31149183900d0294a'],
  [129, 'aaf1b0371f6d4ee49ee4fb5ddd9c49ef'],
  [255, '192657d8c2d07da4ee7beb8c6f9951f4'],
  [256, 'c2472c0ac37a8dbdb25f05ada0d82643'],
  [257, '5b9ad79f1309b3599ac3871688f3812c'],
  [1000, '978a3f8b45508a42fe7f0f99caf2c423'],
  [70000, '30ac1c82e8203b5d402c33d54e3dfba6'],
] as const)
  test(`${length} bytes have the hash that Studio gives them`, () => {
    const bytes = Uint8Array.from({ length }, (_, index) => index & 255);
    assert.equal(Buffer.from(sharedStringHash(bytes)).toString('hex'), hex);
  });
