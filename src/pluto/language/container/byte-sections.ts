import type { Result } from '../../../base/result.ts';
import { err, ok } from '../../../base/result.ts';
import type { ContainerProblem } from './container-problem.ts';

/** One section of the file. */
export interface Section {
  /** Four ASCII characters. */
  readonly tag: string;
  readonly isRequired: boolean;
  readonly bytes: Uint8Array;
}

/** Optional sections with facts about the text, which are dropped when the text changes. */
const ABOUT_TEXT: ReadonlySet<string> = new Set(['DERV', 'HASH', 'XREF']);

/** The optional sections that remain when the text has changed. */
export const withoutDerived = (optional: readonly Section[]): readonly Section[] =>
  optional.filter(({ tag }) => !ABOUT_TEXT.has(tag));

export const SCHEMA = 16;
// Sizes in bytes: of the header, of an entry of the table, and of the SHA-256 at the end.
const HEADER = 16;
const ENTRY = 24;
const DIGEST = 32;
const REQUIRED = 1;
/** Bit 0 of the header: sections in canonical order. */
const CANONICAL = 1;
const MAX_SECTIONS = 1024;
const MAGIC = [0x50, 0x4c, 0x54, 0x4f];

type Sha256 = (bytes: Uint8Array) => string;

/** Whether the bytes claim to be a container, which text never does. */
export const isContainer = (bytes: Uint8Array): boolean => MAGIC.every((byte, index) => bytes[index] === byte);

/** Writes a header, a table, the payloads aligned to 8 bytes, and a hash of all of it. Equal sections in equal order give equal bytes. */
export function writeSections(sections: readonly Section[], sha256: Sha256): Uint8Array {
  const offsets: number[] = [];
  let size = HEADER + ENTRY * sections.length;
  for (const { bytes } of sections) {
    offsets.push(size);
    size += aligned(bytes.length);
  }
  const file = new Uint8Array(size + DIGEST);
  const view = new DataView(file.buffer);
  file.set(MAGIC, 0);
  view.setUint32(4, SCHEMA, true);
  view.setUint32(8, CANONICAL, true);
  view.setUint32(12, sections.length, true);
  for (const [index, { tag, isRequired, bytes }] of sections.entries()) {
    const entry = HEADER + ENTRY * index;
    for (let at = 0; at < 4; at += 1) view.setUint8(entry + at, tag.charCodeAt(at));
    view.setUint32(entry + 4, isRequired ? REQUIRED : 0, true);
    view.setBigUint64(entry + 8, BigInt(offsets[index] ?? 0), true);
    view.setBigUint64(entry + 16, BigInt(bytes.length), true);
    file.set(bytes, offsets[index]);
  }
  file.set(hexToBytes(sha256(file.subarray(0, size))), size);
  return file;
}

const aligned = (length: number): number => (length + 7) & ~7;

const hexToBytes = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) => parseInt(hex.slice(index * 2, index * 2 + 2), 16));

const bytesToHex = (bytes: Uint8Array): string =>
  Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');

/** Reads the sections in the order of the table. Verifies the hash before it reads the table. */
export function readSections(file: Uint8Array, sha256: Sha256): Result<readonly Section[], ContainerProblem> {
  if (!isContainer(file)) return err({ code: 'not_a_container', reason: 'the file does not start with PLTO' });
  if (file.length < 8) return truncated(file.length, HEADER + DIGEST);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const version = view.getUint32(4, true);
  if (version !== SCHEMA)
    return err({
      code: 'unsupported_version',
      reason: `schema version ${version} is not supported; this version of Atlas Bridge reads ${SCHEMA}`,
    });
  if (file.length < HEADER + DIGEST) return truncated(file.length, HEADER + DIGEST);
  const count = view.getUint32(12, true);
  const table = HEADER + ENTRY * count;
  if (count > MAX_SECTIONS)
    return err({ code: 'table_malformed', reason: `too many sections: ${count}, at most ${MAX_SECTIONS} are allowed` });
  const end = file.length - DIGEST;
  if (table > end) return truncated(file.length, table + DIGEST);
  if (bytesToHex(file.subarray(end)) !== sha256(file.subarray(0, end)))
    return err({
      code: 'hash_mismatch',
      reason: 'the checksum does not match the content: the file was truncated or changed',
    });
  const sections: Section[] = [];
  let at = table;
  for (let index = 0; index < count; index += 1) {
    const entry = HEADER + ENTRY * index;
    const tag = String.fromCharCode(...file.subarray(entry, entry + 4));
    const offset = view.getBigUint64(entry + 8, true);
    const length = view.getBigUint64(entry + 16, true);
    if (offset !== BigInt(at) || offset + length > BigInt(end))
      return err({ code: 'table_malformed', reason: `section ${tag} is at the wrong offset` });
    const size = Number(length);
    sections.push({
      tag,
      isRequired: (view.getUint32(entry + 4, true) & REQUIRED) !== 0,
      bytes: file.slice(at, at + size),
    });
    at += aligned(size);
  }
  if (at !== end) return err({ code: 'table_malformed', reason: 'there are bytes after the last section' });
  return ok(sections);
}

const truncated = (got: number, wanted: number): Result<never, ContainerProblem> =>
  err({ code: 'truncated', reason: `the file is truncated: ${got} of at least ${wanted} bytes` });
