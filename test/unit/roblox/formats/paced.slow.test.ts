import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { nodeInflate } from '../../../../src/adapters/node/inflate.ts';
import { runInSlices } from '../../../../src/base/time-slice.ts';
import { ByteWriter } from '../../../../src/roblox/encoding/byte-writer.ts';
import { readModel, readModelInSlices } from '../../../../src/roblox/formats/model/model-file.ts';
import { readChunks, writeEnd, writeHeader } from '../../../../src/roblox/formats/rbxm/chunks.ts';
import { writeBinaryModel, writeBinaryModelPausable } from '../../../../src/roblox/formats/rbxm/write.ts';
import { CountingSlice } from '../../../harness/counting-slice.ts';
import { reflection } from '../../../harness/reflection.ts';
import { modelFiles } from './model-files.ts';

/** The same file with Zstandard chunks, as current Studio versions save them. */
function inZstandard(binary: Uint8Array): Uint8Array {
  const file = new ByteWriter();
  writeHeader(file, 0, 0);
  for (const { name, data } of readChunks(binary, nodeInflate)) {
    const compressed = zlib.zstdCompressSync(data.bytes);
    file.raw(new TextEncoder().encode(name.padEnd(4, '\0')));
    for (const size of [compressed.length, data.bytes.length, 0]) file.u32(size);
    file.raw(compressed);
  }
  writeEnd(file);
  return file.finish();
}

async function assertSame(bytes: Uint8Array): Promise<void> {
  assert.deepEqual(
    await readModelInSlices(bytes, reflection, nodeInflate, new CountingSlice()),
    readModel(bytes, reflection, nodeInflate),
  );
}

for (const { name, xml, binary } of modelFiles)
  test(`${name}: reads and writes the same when it yields to other work`, async () => {
    await assertSame(binary);
    await assertSame(inZstandard(binary));
    await assertSame(new TextEncoder().encode(xml));
  });

test('reports the same error for a damaged file when it yields', async () => {
  const { xml, binary } = modelFiles.find(({ name }) => name === 'models/unions')!;
  const files = [binary, inZstandard(binary), new TextEncoder().encode(xml)];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...files), fc.nat(), fc.nat(255), async (file, at, byte) => {
      const bytes = file.slice();
      bytes[at % bytes.length] = byte;
      await assertSame(bytes);
    }),
    { numRuns: 150 },
  );
});

test('yields during a file with one long source, for any compression', async () => {
  const source = Array.from({ length: 200_000 }, (_, line) => `local x${line} = ${line * 7919}`).join('\n');
  const properties = new Map([['Source', { type: 'String', value: source }] as const]);
  const root = { referent: 'a', className: 'ModuleScript', name: 'Long', properties, children: [] };
  const model = { roots: [root], metadata: new Map() };
  const written = writeBinaryModel(model, reflection);
  assert.ok(written.ok);
  const writing = new CountingSlice();
  assert.deepEqual(await runInSlices(writeBinaryModelPausable(model, reflection), writing), written);
  assert.ok(writing.turns > source.length / (512 * 1024), `${writing.turns} turns`);
  const slice = new CountingSlice();
  const read = await readModelInSlices(written.value, reflection, nodeInflate, slice);
  assert.ok(read.ok && read.value.roots[0]?.properties.get('Source')?.type === 'String');
  assert.ok(slice.turns > source.length / (512 * 1024), `${slice.turns} turns`);
  await assertSame(inZstandard(written.value));
});
