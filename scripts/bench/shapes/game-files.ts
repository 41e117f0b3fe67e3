import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import type { Model } from '../../../src/roblox/instances/model.ts';
import type { Reflection } from '../../../src/roblox/instances/reflection.ts';
import { nodeInflate } from '../../../src/adapters/node/inflate.ts';
import { ByteWriter } from '../../../src/roblox/encoding/byte-writer.ts';
import { packedChunks, unpack, writeEnd, writeHeader } from '../../../src/roblox/formats/rbxm/chunks.ts';
import { writeBinaryModel } from '../../../src/roblox/formats/rbxm/write.ts';

/** A generated game in a temporary folder that is removed on disposal. */
export interface GameFiles extends Disposable {
  readonly folder: string;
  /** A project whose services are folders with one `.rbxm` for each child. */
  readonly project: string;
  /** The model files of the project, absolute. */
  readonly models: readonly string[];
  /** Size of all model files together. */
  readonly bytes: number;
  /** A project with the same services, whose folders are empty. */
  readonly emptyProject: string;
  /** The game as one place file. */
  readonly place: string;
}

export function writeGameFiles(game: Model, reflection: Reflection): GameFiles {
  const folder = mkdtempSync(join(tmpdir(), 'atlas-bench-'));
  const [project, emptyProject, place] = [join(folder, 'game'), join(folder, 'empty'), join(folder, 'game.rbxl')];
  const services = game.roots.map(({ name }) => name);
  const tree = { $className: 'DataModel', ...Object.fromEntries(services.map(name => [name, { $path: name }])) };
  for (const at of [project, emptyProject]) {
    for (const name of services) mkdirSync(join(at, name), { recursive: true });
    writeFileSync(join(at, 'default.project.json'), JSON.stringify({ name: 'Game', tree }));
  }
  const models: string[] = [];
  let bytes = 0;
  for (const { name, children } of game.roots)
    for (const child of children) {
      const content = asStudioPacks({ roots: [child], metadata: new Map() }, reflection);
      bytes += content.length;
      const file = join(project, name, `${child.name}.rbxm`);
      writeFileSync(file, content);
      models.push(file);
    }
  writeFileSync(place, asStudioPacks(game, reflection));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  return { folder, project, models, bytes, emptyProject, place, [Symbol.dispose]: remove };
}

/** The binary file of a model, with the chunks compressed by Zstandard, as Studio does. */
function asStudioPacks(model: Model, reflection: Reflection): Uint8Array {
  const written = writeBinaryModel(model, reflection);
  if (!written.ok) throw new Error(written.error);
  const file = new ByteWriter();
  const counts = new DataView(written.value.buffer, written.value.byteOffset);
  writeHeader(file, counts.getUint32(16, true), counts.getUint32(20, true));
  for (const packed of packedChunks(written.value)) {
    const { bytes } = unpack(packed, nodeInflate).data;
    const compressed = new Uint8Array(zstdCompressSync(bytes));
    file.raw(new TextEncoder().encode(packed.name.padEnd(4, '\0')));
    for (const number of [compressed.length, bytes.length, 0]) file.u32(number);
    file.raw(compressed);
  }
  writeEnd(file);
  return file.finish();
}
