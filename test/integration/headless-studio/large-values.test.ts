import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeInflate } from '../../../src/adapters/node/inflate.ts';
import { bundledFiles } from '../../../src/headless-studio/bundled-files.ts';
import { startHeadlessStudio } from '../../../src/headless-studio/headless-studio.ts';
import { readBinaryModel } from '../../../src/roblox/formats/rbxm/read.ts';
import { writeBinaryModel } from '../../../src/roblox/formats/rbxm/write.ts';
import type { Model, ModelInstance } from '../../../src/roblox/instances/model.ts';
import type { Variant } from '../../../src/roblox/values/variant.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { testKey } from '../../harness/memory-studio-keys.ts';
import { reflection } from '../../harness/reflection.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const instance = (className: string, index: number, values: Readonly<Record<string, Variant>>): ModelInstance => ({
  referent: String(index),
  className,
  name: className,
  properties: new Map(Object.entries(values)),
  children: [],
});

/** Opens a model, runs a chunk in it, saves it and reads it again. */
async function savedAgain(roots: readonly ModelInstance[], chunk: string): Promise<Model> {
  const written = writeBinaryModel({ roots, metadata: new Map() }, reflection);
  assert.ok(written.ok);
  await using folder = await tempFolder({ 'in.rbxm': written.value });
  await using studio = await startHeadlessStudio({
    ...bundledFiles(),
    place: `${folder.path}/in.rbxm`,
    key: async () => testKey,
    log: memoryLog(),
  });
  const ran = await studio.run(chunk);
  assert.ok(ran.ok);
  const saved = readBinaryModel(await studio.format('out.rbxm'), reflection, nodeInflate);
  assert.ok(saved.ok);
  return saved.value;
}

test('saves a model with Terrain that was opened with it', { timeout: 60_000 }, async () => {
  const grid = Uint8Array.of(1, 5, 3, 2, 1);
  const terrain = instance('Terrain', 0, { SmoothGrid: { type: 'BinaryString', value: grid } });
  const { roots } = await savedAgain([terrain, instance('Part', 1, {})], 'workspace.Part.Anchored = true');
  assert.deepEqual(
    roots.map(({ className }) => className),
    ['Terrain', 'Part'],
  );
  const saved = roots[0]?.properties.get('SmoothGrid');
  assert.deepEqual(saved?.type === 'BinaryString' && Array.from(saved.value), Array.from(grid));
  assert.equal(roots[1]?.properties.get('Anchored')?.value, true);
});

test('opens and saves 400 MB of mesh data that many parts share', { timeout: 120_000 }, async () => {
  const mesh = new Uint8Array(2_000_000).fill(7);
  const parts = Array.from({ length: 200 }, (_, index) =>
    instance('MeshPart', index, { PhysicalConfigData: { type: 'SharedString', value: mesh } }),
  );
  const { roots } = await savedAgain(parts, 'workspace.MeshPart:Clone().Parent = workspace');
  assert.equal(roots.length, 201);
  for (const { properties } of roots) {
    const value = properties.get('PhysicalConfigData');
    assert.equal(value?.type === 'SharedString' && value.value.length, mesh.length);
  }
});
