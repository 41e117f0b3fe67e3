import { encodeMsgpack } from '../../src/protocol/msgpack/encode.ts';
import type { ServerInfo } from '../../src/protocol/studio/messages.ts';

// Messages that stop a program which reads them without limits.

const MB = 1024 * 1024;
/** Bytes of a message just below the largest size that the bridge accepts. */
export const LARGE = 63 * MB;
type Served = Pick<ServerInfo, 'sessionId' | 'rootInstanceId'>;

export const emptyMaps = (): Buffer => Buffer.alloc(LARGE, 0x80);
const listOfMaps = (count: number): Buffer => {
  const bytes = Buffer.alloc(count + 5, 0x80);
  bytes[0] = 0xdd;
  bytes.writeUInt32BE(count, 1);
  return bytes;
};

/** Text frames, each sent after a greeting on a new connection. */
export const frames: Readonly<Record<string, () => string>> = {
  deep: () => '['.repeat(2_000) + ']'.repeat(2_000),
  deepInstances: () => `{"type":"instances","requestId":"1","missing":[],"instances":[${nestedInstances(2_000)}]}`,
  brackets: () => '['.repeat(LARGE),
  emptyObjects: () => `[${'{},'.repeat(LARGE / 4)}{}]`,
  emptyChanges: () => `{"type":"compared","changes":[${'{},'.repeat(900_000)}{}]}`,
  backslashes: () => `"${'\\'.repeat(LARGE)}"`,
  longLog: () => `{"type":"roblox_log","level":0,"message":"${'x'.repeat(LARGE - 100)}"}`,
  spaces: () => ' '.repeat(LARGE),
  digits: () => '9'.repeat(LARGE),
  members: () => `{"type":"compared",${members(900_000)}}`,
  properties: () =>
    `{"type":"instances","requestId":"1","missing":[],"instances":[${instance(`{${members(900_000)}}`, '')}]}`,
  children: () =>
    `{"type":"instances","requestId":"1","missing":[],"instances":[${instance('{}', repeated(instance('{}', ''), 90_000))}]}`,
  unreadable: () =>
    `{"type":"compared","requestId":"1","place":{"name":"a","placeId":1},"messageCursor":1,"changes":[],"overrides":[],"unreadable":[${repeated('{"path":"a","property":"a","reason":"a"}', 240_000)}]}`,
  longScript: () =>
    `{"type":"script","requestId":"1","status":"success","source":"${'x'.repeat(LARGE - 1000)}","studioHash":"${'a'.repeat(64)}","className":"Script","instancePath":"a"}`,
  capabilities: () => `{"type":"hello","capabilities":[${repeated('"a"', 900_000)}]}`,
  edits: () => `{"type":"liveEdit","seq":1,"edits":[{"id":"a","base":{},"properties":{${members(900_000)}}}]}`,
};

const repeated = (text: string, count: number): string => `${`${text},`.repeat(count - 1)}${text}`;
const members = (count: number): string => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',');
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
  removed: ({ sessionId }) => encoded({ sessionId, removed: many(100_000, () => 'a') }),
  updated: ({ sessionId }) => encoded({ sessionId, updated: many(100_000, () => 1) }),
  unknownUpdates: ({ sessionId }) =>
    encoded({ sessionId, updated: many(100_000, () => ({ id: 'abc', changedProperties: {} })) }),
  chain: ({ sessionId }) =>
    encoded({
      sessionId,
      added: Object.fromEntries(
        many(10_000, index => [`k${index}`, { parent: `k${index + 1}`, name: 'a', className: 'Folder' }]),
      ),
    }),
  addedMembers: ({ sessionId }) =>
    encoded({ sessionId, added: Object.fromEntries(many(300_000, index => [`k${index}`, 1])) }),
  longName: ({ sessionId, rootInstanceId: parent }) =>
    encoded({ sessionId, added: { a: { parent, name: 'x'.repeat(3 * MB), className: 'Folder' } } }),
  longSource: ({ sessionId, rootInstanceId: parent }) => {
    const properties = { Source: { String: 'x'.repeat(60 * MB) } };
    return encoded({ sessionId, added: { a: { parent, name: 'b', className: 'Script', properties } } });
  },
  staged: ({ sessionId }) => encoded({ sessionId, stageIds: many(900_000, () => 'a') }),
};

const WRITTEN = 20_000;

/** A write of 20,000 instances in one instance. @param name of that instance, and part of its id */
export function largeWrite(sessionId: string, parent: string, name: string): Buffer {
  const idOf = (index: number): string => `${Buffer.from(name).toString('hex')}${index}`.padStart(32, '0').slice(-32);
  const properties = { Transparency: { Float32: 0.5 } };
  const children = many(WRITTEN, index => ({ name: `Part${index}`, className: 'Part', properties, children: [] }));
  const added = { [idOf(0)]: { parent, name, className: 'Model', properties: {}, children } };
  return encoded({ sessionId, removed: [], updated: [], added });
}

const encoded = (body: object): Buffer => Buffer.from(encodeMsgpack(body));
const many = <T>(count: number, one: (index: number) => T): T[] =>
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

/** A frame of the largest size without its last bytes, as it is on the wire. */
export function unfinishedFrame(): Buffer {
  const header = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  header.writeBigUInt64BE(BigInt(LARGE), 2);
  return Buffer.concat([header, Buffer.alloc(LARGE - 1, 0x20)]);
}
