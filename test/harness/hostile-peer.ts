import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { WebSocket } from 'ws';
import type { StudioKey } from '../../src/ports/studio-keys.ts';
import { FakePlugin } from './fake-plugin.ts';
import { proveKey, sessionHeaders } from './prove-key.ts';

/** A peer that sends what can stop a program: run in its own thread, so that only the bridge can block the bridge. */
const MB = 1024 * 1024;
const LARGE = 63 * MB;
const capabilities = ['acknowledgedApply', 'stableIds', 'requestIds'];
const hello = JSON.stringify({ type: 'hello', placeId: 7, placeName: 'Baseplate', capabilities });

/** What the peer is allowed to send. */
export interface HostilePeer {
  /** The key that it proves; without one it only sends its greeting. */
  readonly key?: StudioKey;
  /** Whether it opens a live session first, as an allowed plugin without pairing. */
  readonly isLive?: boolean;
}

/** Runs the peer against a bridge. Resolves when everything was sent and answered or closed. */
export async function attackBridge(port: number, peer: HostilePeer = {}): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { port, peer } });
  try {
    await once(worker, 'message');
  } finally {
    await worker.terminate();
  }
}

const emptyMaps = (): Buffer => Buffer.alloc(LARGE, 0x80);
const listOfMaps = (count: number): Buffer => {
  const bytes = Buffer.alloc(count + 5, 0x80);
  bytes[0] = 0xdd;
  bytes.writeUInt32BE(count, 1);
  return bytes;
};

/** Sends each text frame after a greeting on a new connection. */
const frames: readonly (() => string)[] = [
  () => '['.repeat(2_000) + ']'.repeat(2_000),
  () => `{"type":"instances","requestId":"1","missing":[],"instances":[${nestedInstances(2_000)}]}`,
  () => '['.repeat(LARGE),
  () => `[${'{},'.repeat(LARGE / 4)}{}]`,
  () => `{"type":"compared","changes":[${'{},'.repeat(900_000)}{}]}`,
  () => `"${'\\'.repeat(LARGE)}"`,
  () => `{"type":"roblox_log","level":0,"message":"${'x'.repeat(LARGE - 100)}"}`,
  () => ' '.repeat(LARGE),
  () => '9'.repeat(LARGE),
];

function nestedInstances(depth: number): string {
  const open = '{"id":"a","name":"a","className":"a","properties":{},"children":['.repeat(depth);
  return open + ']}'.repeat(depth);
}

const bodies: readonly (() => Buffer)[] = [
  emptyMaps,
  () => listOfMaps(60 * MB),
  () => listOfMaps(990_000),
  () => Buffer.alloc(1_000_000, 0x91),
];

async function sendFrame(port: number, text: string, { key }: HostilePeer): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/mcp/stream`, { perMessageDeflate: false });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  await Promise.race([once(socket, 'open'), closed]);
  if (socket.readyState !== WebSocket.OPEN) return;
  if (key !== undefined) await proveKey(socket, key);
  socket.send(hello);
  socket.send(text);
  // The answer to a ping is the sign that the frame before it was received.
  socket.ping();
  await Promise.race([once(socket, 'pong'), closed]);
  socket.terminate();
}

async function post(port: number, body: Buffer, headers: Readonly<Record<string, string>>): Promise<void> {
  await fetch(`http://127.0.0.1:${port}/api/write`, { method: 'POST', headers, body: new Uint8Array(body) })
    .then(answer => answer.arrayBuffer())
    .catch(() => undefined);
}

const half = (port: number, bytes: Buffer): Socket => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(bytes);
  return socket;
};

/** Keeps a connection open, so that requests with its session are answered. */
async function openSession(
  port: number,
  key: StudioKey,
): Promise<{ socket: WebSocket; headers: Record<string, string> }> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/mcp/stream`);
  await once(socket, 'open');
  return { socket, headers: sessionHeaders(await proveKey(socket, key)) };
}

async function attack(port: number, peer: HostilePeer): Promise<void> {
  for (const frame of frames) await sendFrame(port, frame(), peer);
  const session = peer.key === undefined ? undefined : await openSession(port, peer.key);
  const { headers = {} } = session ?? {};
  await using plugin = new FakePlugin(`http://127.0.0.1:${port}`, headers);
  if (peer.isLive === true) {
    await plugin.connect();
    await plugin.listen();
  }
  for (const body of bodies) await post(port, body(), headers);
  const lines = Object.entries({ Host: '127.0.0.1', 'Content-Length': LARGE + 1, ...headers });
  const head = `POST /api/write HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  const unfinished = Array.from({ length: 12 }, () => half(port, Buffer.concat([Buffer.from(head), emptyMaps()])));
  const halfOpen = Array.from({ length: 300 }, () => half(port, Buffer.from('GET / HTTP')));
  await fetch(`http://127.0.0.1:${port}/api/rojo`).catch(() => undefined);
  for (const socket of [...unfinished, ...halfOpen]) socket.destroy();
  session?.socket.terminate();
}

if (!isMainThread && parentPort !== null && 'port' in workerData) {
  const { port, peer } = workerData as { readonly port: number; readonly peer: HostilePeer };
  await attack(port, peer);
  parentPort.postMessage('done');
}
