import type { FileHandle } from 'node:fs/promises';
import { deflateRawSync } from 'node:zlib';
import { nodeHasher } from '../../src/adapters/node/hasher.ts';
import {
  encodeFrame,
  type JournalFrame,
  readFrameAt,
  readPayload,
  scanFrames,
  shortHash,
} from '../../src/adapters/node/journal/frames.ts';
import { keyOfHash, RowTable } from '../../src/adapters/node/journal/row-table.ts';
import { type PackBlock, packHead, readPackIndex, extractText } from '../../src/adapters/node/text-pack.ts';
import { AppError } from '../../src/base/errors.ts';
import { argonSettingsOf } from '../../src/cli/argon-settings.ts';
import { TreeListing } from '../../src/docs/adapters/git-roots/tree-listing.ts';
import { RipgrepRecords } from '../../src/docs/adapters/ripgrep/ripgrep-records.ts';
import { JournalEnding, JournalNote, JournalRecord } from '../../src/protocol/journal/journal-record.ts';
import { bytesOrStructure, expecting, ofText, seeds, type Target, text, utf8 } from './inputs.ts';
import { type Dice, mutateBytes, mutateValue } from './mutate.ts';

const record: JournalRecord = {
  version: 1, runId: 'run', at: '2026-01-31T00:00:00.000Z', mode: 'standard', requestedBy: 'a', place: { name: 'Place', placeId: 1 },
  items: [{ id: 'a', path: 'a/b', className: 'Part', patchType: 'Edit', choice: 'pull', fsPath: 'b.luau', files: [{ path: 'b.luau', blob: 'c' }], studio: null, properties: { Size: { current: 1, incoming: 2 } } }],
  writes: [{ ids: ['a'], path: 'b.luau', kind: 'write', before: null, after: null, blob: 'c' }],
}; // prettier-ignore
const ending: JournalEnding = {
  at: record.at,
  status: 'success',
  summary: 'b',
  outcomes: [{ id: 'a', outcome: 'written' }],
};

const json = (value: unknown): Uint8Array => utf8.encode(JSON.stringify(value));
const frames = (...parts: readonly (readonly [JournalFrame['kind'], Uint8Array])[]): Uint8Array =>
  Buffer.concat(parts.flatMap(([kind, payload]) => encodeFrame(kind, '0123456789abcdef', 'run', payload)));

/** A file in memory, as far as the journal reads it. */
const fileOf = (bytes: Uint8Array): FileHandle =>
  ({
    read: async (buffer: Uint8Array, offset: number, length: number, position: number) => {
      const part = bytes.subarray(position, position + length);
      buffer.set(part, offset);
      return { bytesRead: part.length, buffer };
    },
  }) as unknown as FileHandle;

/** Changes one field of a frame. The checksums of the frame stay valid, except that of a payload with another length. */
function mutateFrame(dice: Dice, seed: Uint8Array): Uint8Array {
  const texts = Buffer.from(seed)
    .toString('latin1')
    .split(/(?=atlas-journal 1 )/);
  const at = dice.below(texts.length);
  const [head = '', payload = ''] = (texts[at] ?? '').split(/\n(.*)/s);
  const fields = head.split(' ').slice(0, -1);
  const [kind, entry = '', label = ''] = fields.slice(2);
  if (dice.below(3) === 0) {
    const changed = json(mutateValue(dice, JSON.parse(payload || '0')));
    const known = kind === 'record' || kind === 'note' || kind === 'ending' ? kind : 'blob';
    texts[at] = Buffer.concat(encodeFrame(known, entry, label, changed)).toString('latin1');
  } else {
    fields[dice.below(fields.length)] = dice.pick([
      '',
      '0',
      '1',
      '999999999999',
      'blob',
      'note',
      'ending',
      '-',
      'z'.repeat(64),
    ]);
    const header = fields.join(' ');
    texts[at] = `${header} ${shortHash(header).slice(0, 8)}\n${payload}`;
  }
  return Buffer.from(texts.join(''), 'latin1');
}

async function readSegment(input: Uint8Array): Promise<void> {
  const file = fileOf(input);
  const rows = new RowTable(2);
  for await (const frame of scanFrames(file, 0, input.length)) {
    if (frame.kind === 'damage') continue;
    rows.put(keyOfHash(frame.label), 0, frame.offset);
    await readFrameAt(file, frame.offset, frame.kind);
    const payload = await readPayload(file, frame);
    if (payload === undefined || frame.kind === 'blob') continue;
    const schema = { record: JournalRecord, note: JournalNote, ending: JournalEnding }[frame.kind];
    expecting([SyntaxError], () => schema.safeParse(JSON.parse(text(payload))));
  }
}

const packed = ['print(1)\n'.repeat(20), 'return {}\n'].map(one => Buffer.from(one));
const block = deflateRawSync(Buffer.concat(packed));
let start = 0;
const index: readonly PackBlock[] = [
  {
    start: 0,
    length: block.length,
    texts: packed.map(one => [nodeHasher.gitBlob(one), (start += one.length) - one.length, one.length]),
  },
];
const packWith = (changed: unknown, body: Uint8Array): Uint8Array => Buffer.concat([...packHead(changed), body]);

async function readPack(input: Uint8Array): Promise<void> {
  const read = async (offset: number, length: number): Promise<Buffer> => {
    const bytes = Buffer.alloc(length);
    bytes.set(input.subarray(offset, offset + length));
    return bytes;
  };
  const pack = await readPackIndex(read, input.length).catch(ifDamaged);
  for (const one of pack?.blocks ?? [])
    for (const at of one.texts.slice(0, 2))
      await extractText(await read((pack?.bodyAt ?? 0) + one.start, one.length), one, at).catch(ifDamaged);
}
function ifDamaged(error: unknown): undefined {
  if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return undefined;
  throw error;
}

const listing = (...entries: readonly string[]): string => entries.map(entry => `${entry}\0`).join('');
const id = 'a'.repeat(40);

/** Readers of files and programs of this computer that another version, a full disk or a hostile repository may have changed. */
export const stateTargets: readonly Target[] = [
  {
    name: 'journal',
    seeds: [
      frames(['blob', utf8.encode('"print(1)"')], ['record', json({ owner: 1, record })], ['ending', json(ending)]),
      frames(
        ['record', json(record)],
        ['note', json({ kind: 'confirmed', ids: ['a'], applied: [] })],
        ['ending', json(ending)],
      ),
    ],
    mutate: bytesOrStructure(mutateFrame),
    run: readSegment,
  },
  {
    name: 'text-pack',
    seeds: [packWith(index, block)],
    mutate: (dice, seed) =>
      dice.below(2) === 0
        ? packWith(mutateValue(dice, index), block)
        : dice.below(2) === 0
          ? packWith(index, mutateBytes(dice, block, block))
          : mutateBytes(dice, seed, seed),
    run: readPack,
  },
  {
    name: 'ripgrep-records',
    seeds: seeds(
      '/a/b.md\x001:1:0:one\n/a/b.md\x0012:3:40:two\r\n/a/b.md: binary file matches (found "\\0" byte around offset 5)\n',
      '/a/c\n/d.md\x001:1:0:[Omitted long matching line]\n',
    ),
    mutate: ofText,
    run(input) {
      const records = new RipgrepRecords(path => path.length % 2 === 0);
      for (let at = 0; at < input.length; at += 50)
        for (const one of records.push(Buffer.from(input.subarray(at, at + 50))))
          if (one.kind === 'hit' && one.path.includes(10)) throw new Error('a path with a line feed');
    },
  },
  {
    name: 'ls-tree',
    seeds: seeds(
      listing(`100644 blob ${id}      12\ta.md`, `120000 blob ${id}       3\tb/c`, `160000 commit ${id}       -\td`),
      listing(`100644 blob ${id}      12\t.git/config`),
    ),
    mutate: ofText,
    run: input =>
      expecting([AppError], () => {
        const tree = new TreeListing('root');
        for (let at = 0; at < input.length; at += 100) tree.push(Buffer.from(input.subarray(at, at + 100)));
      }),
  },
  {
    name: 'argon-settings',
    seeds: seeds(
      'port = 8000\nhost = "localhost"\nwith_sourcemap = true\nauto_detect = false\n',
      '[a]\nport = 70000\n',
    ),
    mutate: ofText,
    run: input => void argonSettingsOf(text(input)),
  },
];
