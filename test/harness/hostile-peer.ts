import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { WebSocket } from 'ws';

/** A peer that sends what can stop a program: run in its own thread, so that only the bridge can block the bridge. */
const MB = 1024 * 1024;
const LARGE = 63 * MB;
const hello = JSON.stringify({ type: 'hello', capabilities: ['acknowledgedApply', 'stableIds', 'requestIds'] });

/** Runs the peer against a bridge. Resolves when everything was sent and answered or closed. */
export async function attackBridge(port: number): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { port } });
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

async function sendFrame(port: number, text: string): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/mcp/stream`, { perMessageDeflate: false });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  await Promise.race([once(socket, 'open'), closed]);
  if (socket.readyState !== WebSocket.OPEN) return;
  socket.send(hello);
  socket.send(text);
  // The answer to a ping is the sign that the frame before it was received.
  socket.ping();
  await Promise.race([once(socket, 'pong'), closed]);
  socket.terminate();
}

async function post(port: number, body: Buffer): Promise<void> {
  await fetch(`http://127.0.0.1:${port}/api/write`, { method: 'POST', body: new Uint8Array(body) })
    .then(answer => answer.arrayBuffer())
    .catch(() => undefined);
}

const half = (port: number, bytes: Buffer): Socket => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(bytes);
  return socket;
};

async function attack(port: number): Promise<void> {
  for (const frame of frames) await sendFrame(port, frame());
  for (const body of bodies) await post(port, body());
  const head = `POST /api/write HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${LARGE + 1}\r\n\r\n`;
  const unfinished = Array.from({ length: 12 }, () => half(port, Buffer.concat([Buffer.from(head), emptyMaps()])));
  const halfOpen = Array.from({ length: 300 }, () => half(port, Buffer.from('GET / HTTP')));
  await fetch(`http://127.0.0.1:${port}/api/rojo`).catch(() => undefined);
  for (const socket of [...unfinished, ...halfOpen]) socket.destroy();
}

if (!isMainThread && parentPort !== null && 'port' in workerData) {
  const { port } = workerData as { readonly port: number };
  await attack(port);
  parentPort.postMessage('done');
}
