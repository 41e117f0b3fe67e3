import { encodeMsgpack } from '../../src/protocol/msgpack/encode.ts';
import type { ServerInfo } from '../../src/protocol/studio/messages.ts';

// Messages that stop a program which reads them without limits.

const MB = 1024 * 1024;
/** Bytes of a message just below the largest size that the bridge accepts. */
export const LARGE = 63 * MB;
type Served = Pick<ServerInfo, 'sessionId' | 'rootInstanceId'>;

/** The payload of a frame begins at a whole word, so that it can be masked word by word. */
const PAYLOAD_AT = 16;
const HEADER_BYTES = 14;
/** Every large input is written here, one at a time: the system takes longer to provide 64 MB than a peer to fill them. */
const memory = Buffer.allocUnsafeSlow(PAYLOAD_AT + LARGE + MB);
const words = new Uint32Array(memory.buffer);
const MASK = 0x9d3c51e7;

export const emptyMaps = (): Buffer => memory.subarray(0, LARGE).fill(0x80);
const listOfMaps = (count: number): Buffer => {
  const bytes = memory.subarray(0, count + 5).fill(0x80);
  bytes[0] = 0xdd;
  bytes.writeUInt32BE(count, 1);
  return bytes;
};

/** A text of ASCII characters, or one of them many times. */
type Part = string | { readonly text: string; readonly count: number };
const many = (text: string, count: number): Part => ({ text, count });

/** Writes `parts` into the shared memory. Returns where they end. */
function write(at: number, ...parts: readonly Part[]): number {
  return parts.reduce((start, part) => {
    if (typeof part === 'string') return start + memory.write(part, start, 'latin1');
    const end = start + part.text.length * part.count;
    memory.fill(part.text, start, end, 'latin1');
    return end;
  }, at);
}

/** Returns a text frame as it is on the wire. */
function frame(...parts: readonly Part[]): Buffer {
  const end = write(PAYLOAD_AT, ...parts);
  for (let word = PAYLOAD_AT / 4; word < end / 4; word += 1) words[word] = (words[word] ?? 0) ^ MASK;
  return withHeader(end, MASK);
}

function withHeader(end: number, mask: number): Buffer {
  const bytes = memory.subarray(PAYLOAD_AT - HEADER_BYTES, end);
  bytes.writeUInt16BE(0x81ff, 0);
  bytes.writeBigUInt64BE(BigInt(end - PAYLOAD_AT), 2);
  bytes.writeUInt32LE(mask, HEADER_BYTES - 4);
  return bytes;
}

/** Text frames as they are on the wire, each sent after a greeting on a new connection. */
export const frames: Readonly<Record<string, () => Buffer>> = {
  deep: () => frame(many('[', 2_000), many(']', 2_000)),
  deepInstances: () => frame(ANSWER, nestedInstances(2_000), ']}'),
  brackets: () => frame(many('[', LARGE)),
  emptyObjects: () => frame('[', many('{},', LARGE / 4), '{}]'),
  emptyChanges: () => frame('{"type":"compared","changes":[', many('{},', 900_000), '{}]}'),
  backslashes: () => frame('"', many('\\', LARGE), '"'),
  longLog: () => frame('{"type":"roblox_log","level":0,"message":"', many('x', LARGE - 100), '"}'),
  spaces: () => frame(many(' ', LARGE)),
  digits: () => frame(many('9', LARGE)),
  members: () => frame('{"type":"compared",', members(), '}'),
  properties: () => frame(ANSWER, instance(`{${members()}}`, ''), ']}'),
  children: () => frame(ANSWER, instance('{}', repeated(instance('{}', ''), 90_000)), ']}'),
  unreadable: () =>
    frame(
      '{"type":"compared","requestId":"1","place":{"name":"a","placeId":1},"messageCursor":1,"changes":[],"overrides":[],"unreadable":[',
      repeated('{"path":"a","property":"a","reason":"a"}', 240_000),
      ']}',
    ),
  longScript: () =>
    frame(
      '{"type":"script","requestId":"1","status":"success","source":"',
      many('x', LARGE - 1000),
      `","studioHash":"${'a'.repeat(64)}","className":"Script","instancePath":"a"}`,
    ),
  capabilities: () => frame('{"type":"hello","capabilities":[', repeated('"a"', 900_000), ']}'),
  edits: () => frame('{"type":"liveEdit","seq":1,"edits":[{"id":"a","base":{},"properties":{', members(), '}}]}'),
};

/** The start of an answer with instances. */
const ANSWER = '{"type":"instances","requestId":"1","missing":[],"instances":[';
const repeated = (text: string, count: number): string => `${`${text},`.repeat(count - 1)}${text}`;
let allMembers: string | undefined;
const members = (): string => (allMembers ??= Array.from({ length: 900_000 }, (_, index) => `"k${index}":1`).join(','));
const instance = (properties: string, children: string): string =>
  `{"id":"a","name":"a","className":"a","properties":${properties},"children":[${children}]}`;

function nestedInstances(depth: number): string {
  const open = '{"id":"a","name":"a","className":"a","properties":{},"children":['.repeat(depth);
  return open + ']}'.repeat(depth);
}

export const bodies: Readonly<Record<string, (of: Served) => Buffer>> = {
  emptyMaps,
  manyMaps: () => listOfMaps(60 * MB),
  maps: () => listOfMaps(990_000),
  nested: () => Buffer.alloc(1_000_000, 0x91),
  removed: ({ sessionId }) => encoded({ sessionId, removed: list(100_000, () => 'a') }),
  updated: ({ sessionId }) => encoded({ sessionId, updated: list(100_000, () => 1) }),
  unknownUpdates: ({ sessionId }) =>
    encoded({ sessionId, updated: list(100_000, () => ({ id: 'abc', changedProperties: {} })) }),
  chain: ({ sessionId }) =>
    encoded({
      sessionId,
      added: Object.fromEntries(
        list(10_000, index => [`k${index}`, { parent: `k${index + 1}`, name: 'a', className: 'Folder' }]),
      ),
    }),
  addedMembers: ({ sessionId }) =>
    encoded({ sessionId, added: Object.fromEntries(list(300_000, index => [`k${index}`, 1])) }),
  longName: ({ sessionId, rootInstanceId: parent }) =>
    encoded({ sessionId, added: { a: { parent, name: 'x'.repeat(3 * MB), className: 'Folder' } } }),
  longSource: ({ sessionId, rootInstanceId: parent }) => {
    const properties = { Source: { String: '' } };
    const start = encoded({ sessionId, added: { a: { parent, name: 'b', className: 'Script', properties } } });
    // The empty text is the last byte. A long one has a head of five.
    const length = 60 * MB;
    const head = start.copy(memory, 0, 0, start.length - 1) + 5;
    memory[head - 5] = 0xdb;
    memory.writeUInt32BE(length, head - 4);
    return memory.subarray(0, write(head, many('x', length)));
  },
  staged: ({ sessionId }) => encoded({ sessionId, stageIds: list(900_000, () => 'a') }),
};

const WRITTEN = 20_000;

/** A write of 20,000 instances in one instance. @param name of that instance, and part of its id */
export function largeWrite(sessionId: string, parent: string, name: string): Buffer {
  const idOf = (index: number): string => `${Buffer.from(name).toString('hex')}${index}`.padStart(32, '0').slice(-32);
  const properties = { Transparency: { Float32: 0.5 } };
  const children = list(WRITTEN, index => ({ name: `Part${index}`, className: 'Part', properties, children: [] }));
  const added = { [idOf(0)]: { parent, name, className: 'Model', properties: {}, children } };
  return encoded({ sessionId, removed: [], updated: [], added });
}

const encoded = (body: object): Buffer => Buffer.from(encodeMsgpack(body));
const list = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index));

/** Bytes that a connection sends without waiting for answers. */
export const streams: Readonly<Record<string, () => Buffer>> = {
  pipelined: () => Buffer.from('GET /api/rojo HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(20_000)),
  pipelinedBadHost: () => Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20_000)),
};

/** Frames that a WebSocket sends without waiting, as they are on the wire. */
export const frameStreams: Readonly<Record<string, () => Buffer>> = {
  pings: () => repeatedBytes([0x89, 0x80, 0, 0, 0, 0], 100_000),
  emptyFragments: () =>
    Buffer.concat([Buffer.from([0x01, 0x80, 0, 0, 0, 0]), repeatedBytes([0x00, 0x80, 0, 0, 0, 0], 1_000_000)]),
  tinyMessages: () => repeatedBytes([0x81, 0x82, 0, 0, 0, 0, 0x7b, 0x7d], 20_000),
};

const repeatedBytes = (bytes: readonly number[], count: number): Buffer =>
  Buffer.alloc(bytes.length * count, Buffer.from(bytes));

/** A frame of the largest size without its last byte, as it is on the wire with a mask that changes nothing. */
export const unfinishedFrame = (): Buffer => withHeader(write(PAYLOAD_AT, many(' ', LARGE)), 0).subarray(0, -1);
