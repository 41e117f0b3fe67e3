import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { ifFound } from '../../base/errno.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import type { TextStore, TextToStore } from '../../ports/text-store.ts';
import { putFlushed } from './flushed-files.ts';
import { nodeHasher } from './hasher.ts';
import { withFileLock } from './lock-file.ts';

const MAGIC = 'ATLASTX1';
const HEAD_BYTES = MAGIC.length + 4 + 32;
/** Bytes of texts that are compressed together. */
const BLOCK_SIZE = 256 * 1024;
/** Number of packs above which they are joined. */
const MAX_PACKS = 32;
const never = new AbortController().signal;
const deflate = promisify<Uint8Array, Buffer>(deflateRaw);
const inflate = promisify<Uint8Array, Buffer>(inflateRaw);

/** The position of a text in its decompressed block. */
type TextAt = readonly [hash: string, start: number, length: number];

interface Block {
  /** Offset after the index. */
  readonly start: number;
  readonly length: number;
  readonly texts: readonly TextAt[];
}

interface Pack {
  readonly name: string;
  readonly bodyAt: number;
  readonly bytes: number;
  readonly blocks: readonly Block[];
}

interface TextPlace {
  readonly pack: Pack;
  readonly block: Block;
  readonly at: TextAt;
}

interface NewBlock {
  readonly bytes: Uint8Array;
  readonly texts: readonly TextAt[];
}

/** Packs of compressed texts in a folder. A pack is written whole and never changed; a damaged one is ignored. Created on first use. */
export function createPackTextStore(folder: string): TextStore {
  const queue = new SerialQueue();
  const packs = new Map<string, Pack>();
  let places = new Map<string, TextPlace>();

  /** Reads the indexes of packs that other calls or processes have written since. */
  const refresh = async (): Promise<void> => {
    const names = ((await ifFound(readdir(folder))) ?? [])
      .filter(name => /^\d+-[0-9a-f]+\.pack$/.test(name))
      .toSorted();
    const isSame = names.length === packs.size && names.every(name => packs.has(name));
    if (isSame) return;
    const known = new Map(packs);
    packs.clear();
    places = new Map();
    for (const name of names) {
      const pack = known.get(name) ?? (await readPack(folder, name));
      if (pack === undefined) continue;
      packs.set(name, pack);
      for (const block of pack.blocks) for (const at of block.texts) places.set(at[0], { pack, block, at });
    }
  };
  const write = async (blocks: readonly NewBlock[]): Promise<void> => {
    const name = `${String(Date.now()).padStart(15, '0')}-${randomBytes(8).toString('hex')}.pack`;
    const beside = join(folder, `${name}.tmp`);
    try {
      await putFlushed(join(folder, name), beside, packOf(blocks));
    } finally {
      await rm(beside, { force: true });
    }
  };
  const read = async (hash: string): Promise<string | undefined> => {
    const place = places.get(hash);
    if (place === undefined) return undefined;
    const block = await inflate(await readBlock(folder, place.pack, place.block));
    const [, start, length] = place.at;
    const bytes = block.subarray(start, start + length);
    return nodeHasher.gitBlob(bytes) === hash ? bytes.toString() : undefined;
  };
  /** Joins the packs into one, without the blocks that `keeps` rejects. */
  const rewrite = async (keeps: (block: Block) => boolean): Promise<void> => {
    const kept: NewBlock[] = [];
    for (const pack of packs.values())
      for (const block of pack.blocks)
        if (keeps(block)) kept.push({ bytes: await readBlock(folder, pack, block), texts: block.texts });
    const replaced = Array.from(packs.keys());
    if (kept.length > 0) await write(kept);
    for (const name of replaced) await rm(join(folder, name), { force: true });
    await refresh();
  };

  return {
    put: texts =>
      queue.run(never, async () => {
        await refresh();
        const added = texts.filter(({ hash }) => !places.has(hash));
        if (added.length === 0) return;
        await mkdir(folder, { recursive: true });
        await write(await compressed(added));
        await refresh();
      }),
    get: hash =>
      queue.run(never, async () => {
        await refresh();
        try {
          return await read(hash);
        } catch {
          return undefined;
        }
      }),
    missing: hashes =>
      queue.run(never, async () => {
        await refresh();
        return hashes.filter(hash => !places.has(hash));
      }),
    prune: (maxBytes, needed) =>
      queue.run(never, async () => {
        await refresh();
        const blocks = Array.from(packs.values()).flatMap(pack => pack.blocks);
        let bytes = blocks.reduce((sum, block) => sum + block.length, 0);
        if (bytes <= maxBytes && packs.size <= MAX_PACKS) return;
        const isNeeded = (block: Block): boolean => block.texts.some(([hash]) => needed.has(hash));
        const removed = new Set<Block>();
        for (const block of [...blocks.filter(one => !isNeeded(one)), ...blocks.filter(isNeeded)]) {
          if (bytes <= maxBytes) break;
          removed.add(block);
          bytes -= block.length;
        }
        await withFileLock(join(folder, 'prune.lock'), () => rewrite(block => !removed.has(block)));
      }),
  };
}

/** Compresses several texts together, because scripts are short and alike. */
async function compressed(texts: readonly TextToStore[]): Promise<readonly NewBlock[]> {
  const blocks: NewBlock[] = [];
  let parts: Buffer[] = [];
  let at: TextAt[] = [];
  let length = 0;
  const close = async (): Promise<void> => {
    if (at.length > 0) blocks.push({ bytes: await deflate(Buffer.concat(parts)), texts: at });
    [parts, at, length] = [[], [], 0];
  };
  for (const { hash, text } of texts) {
    const bytes = Buffer.from(text());
    at.push([hash, length, bytes.length]);
    parts.push(bytes);
    length += bytes.length;
    if (length >= BLOCK_SIZE) await close();
  }
  await close();
  return blocks;
}

/** The file of a pack: magic, length and checksum of the index, the index, the blocks. */
function packOf(blocks: readonly NewBlock[]): readonly Uint8Array[] {
  let start = 0;
  const index = blocks.map(({ bytes, texts }): Block => {
    const block = { start, length: bytes.length, texts };
    start += bytes.length;
    return block;
  });
  const json = Buffer.from(JSON.stringify(index));
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(MAGIC);
  head.writeUInt32LE(json.length, MAGIC.length);
  head.set(checksum(json), MAGIC.length + 4);
  return [head, json, ...blocks.map(block => block.bytes)];
}

const checksum = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

/** Reads the index of a pack; `undefined` if the file is gone or damaged. */
async function readPack(folder: string, name: string): Promise<Pack | undefined> {
  try {
    await using file = await open(join(folder, name), 'r');
    const { size } = await file.stat();
    const head = Buffer.alloc(HEAD_BYTES);
    await file.read(head, 0, HEAD_BYTES, 0);
    const length = head.readUInt32LE(MAGIC.length);
    if (head.toString('latin1', 0, MAGIC.length) !== MAGIC || HEAD_BYTES + length > size) return undefined;
    const json = Buffer.alloc(length);
    await file.read(json, 0, length, HEAD_BYTES);
    if (!head.subarray(MAGIC.length + 4).equals(checksum(json))) return undefined;
    // The checksum shows that `packOf` wrote it.
    const blocks = JSON.parse(json.toString()) as readonly Block[];
    return { name, bodyAt: HEAD_BYTES + length, bytes: size, blocks };
  } catch {
    return undefined;
  }
}

async function readBlock(folder: string, pack: Pack, { start, length }: Block): Promise<Buffer> {
  await using file = await open(join(folder, pack.name), 'r');
  const bytes = Buffer.alloc(length);
  await file.read(bytes, 0, length, pack.bodyAt + start);
  return bytes;
}
