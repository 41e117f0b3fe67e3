import { randomBytes } from 'node:crypto';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { ifFound } from '../../base/errno.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { TimeSlice } from '../../base/time-slice.ts';
import type { TextStore, TextToStore } from '../../ports/text-store.ts';
import { nodeClock } from './clock.ts';
import { putFlushed } from './flushed-files.ts';
import { withFileLock } from './lock-file.ts';
import {
  type PackBlock,
  type NewPackBlock,
  packOf,
  type PackIndex,
  readPackIndex,
  type TextAt,
  extractText,
} from './text-pack.ts';
import { makeStateFolder } from './make-state-folder.ts';

/** Bytes of texts that are compressed together. */
const BLOCK_SIZE = 256 * 1024;
/** Number of packs above which they are joined. */
const MAX_PACKS = 32;
const never = new AbortController().signal;
const deflate = promisify<Uint8Array, Buffer>(deflateRaw);

interface Pack extends PackIndex {
  readonly name: string;
  readonly bytes: number;
}

interface TextPlace {
  readonly pack: Pack;
  readonly block: PackBlock;
  readonly at: TextAt;
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
    const slice = new TimeSlice(nodeClock);
    const known = new Map(packs);
    packs.clear();
    places = new Map();
    for (const name of names) {
      const pack = known.get(name) ?? (await readPack(folder, name));
      if (pack === undefined) continue;
      packs.set(name, pack);
      for (const block of pack.blocks) {
        await slice.yieldToEventLoop();
        for (const at of block.texts) places.set(at[0], { pack, block, at });
      }
    }
  };
  const write = async (blocks: readonly NewPackBlock[]): Promise<void> => {
    const name = `${String(Date.now()).padStart(15, '0')}-${randomBytes(8).toString('hex')}.pack`;
    const beside = join(folder, `${name}.tmp`);
    await putFlushed(join(folder, name), beside, packOf(blocks));
  };
  const read = async (hash: string): Promise<string | undefined> => {
    const place = places.get(hash);
    if (place === undefined) return undefined;
    return await extractText(await readBlock(folder, place.pack, place.block), place.block, place.at);
  };
  /** Joins the packs into one, without the blocks that `keeps` rejects. */
  const rewrite = async (keeps: (block: PackBlock) => boolean): Promise<void> => {
    const kept: NewPackBlock[] = [];
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
        await makeStateFolder(folder);
        await write(await compressed(added));
        await refresh();
      }),
    get: hash =>
      queue.run(never, async () => {
        await refresh();
        // A text that cannot be read is treated like a missing one: its script is not merged.
        const text = await read(hash).catch(() => undefined);
        // The next `put` then stores it again.
        if (text === undefined) places.delete(hash);
        return text;
      }),
    missing: hashes =>
      queue.run(never, async () => {
        await refresh();
        return hashes.filter(hash => !places.has(hash));
      }),
    prune: (maxBytes, needed) =>
      queue.run(never, async () => {
        await refresh();
        if (sizeOf(blocksOf(packs)) <= maxBytes && packs.size <= MAX_PACKS) return;
        await withFileLock(join(folder, 'prune.lock'), async () => {
          // Another process may have pruned while this one waited for the lock.
          await refresh();
          const removed = blocksBeyond(maxBytes, blocksOf(packs), needed);
          if (removed.size > 0 || packs.size > MAX_PACKS) await rewrite(block => !removed.has(block));
        });
      }),
  };
}

const blocksOf = (packs: ReadonlyMap<string, Pack>): readonly PackBlock[] =>
  Array.from(packs.values()).flatMap(pack => pack.blocks);
const sizeOf = (blocks: readonly PackBlock[]): number => blocks.reduce((sum, block) => sum + block.length, 0);

/** The blocks to remove so that the others take at most `maxBytes`: first those without a needed text, oldest first. */
function blocksBeyond(
  maxBytes: number,
  blocks: readonly PackBlock[],
  needed: () => ReadonlySet<string>,
): ReadonlySet<PackBlock> {
  let bytes = sizeOf(blocks);
  const removed = new Set<PackBlock>();
  if (bytes <= maxBytes) return removed;
  const keptHashes = needed();
  const isNeeded = (block: PackBlock): boolean => block.texts.some(([hash]) => keptHashes.has(hash));
  for (const block of [...blocks.filter(one => !isNeeded(one)), ...blocks.filter(isNeeded)]) {
    if (bytes <= maxBytes) break;
    removed.add(block);
    bytes -= block.length;
  }
  return removed;
}

/** Compresses several texts together, because scripts are short and similar. */
async function compressed(texts: readonly TextToStore[]): Promise<readonly NewPackBlock[]> {
  const blocks: NewPackBlock[] = [];
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

/** Reads the index of a pack; `undefined` if the file is missing or damaged. */
async function readPack(folder: string, name: string): Promise<Pack | undefined> {
  try {
    await using file = await open(join(folder, name), 'r');
    const { size } = await file.stat();
    const index = await readPackIndex(async (offset, length) => {
      const bytes = Buffer.alloc(length);
      await file.read(bytes, 0, length, offset);
      return bytes;
    }, size);
    return index && { name, bytes: size, ...index };
  } catch {
    return undefined;
  }
}

async function readBlock(folder: string, pack: Pack, { start, length }: PackBlock): Promise<Buffer> {
  await using file = await open(join(folder, pack.name), 'r');
  const bytes = Buffer.alloc(length);
  await file.read(bytes, 0, length, pack.bodyAt + start);
  return bytes;
}
