import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { WebSocket } from 'ws';
import type { StudioKey } from '../../src/ports/studio-keys.ts';
import { bodies, emptyMaps, frames, frameStreams, LARGE, streams } from './hostile-inputs.ts';
import { FakePlugin } from './fake-plugin.ts';
import { proveKey, sessionHeaders } from './prove-key.ts';

const capabilities = ['acknowledgedApply', 'stableIds', 'requestIds'];
const hello = JSON.stringify({ type: 'hello', placeId: 7, placeName: 'Baseplate', capabilities });

/** What the peer is allowed to send. */
export interface HostilePeer {
  /** The key that it proves; without one it only sends its greeting. */
  readonly key?: StudioKey;
  /** Whether it opens a live session first, as an allowed plugin without pairing. */
  readonly isLive?: boolean;
}

/**
 * Runs the peer against a bridge, in its own thread, so that only the bridge can block the bridge. Resolves when everything was sent and
 * answered or closed. @param onInput called before each input with its name
 */
export async function attackBridge(
  port: number,
  peer: HostilePeer = {},
  onInput: (name: string) => void = () => {},
): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { port, peer } });
  try {
    for (;;) {
      const [message] = (await once(worker, 'message')) as [{ readonly input: string } | 'done'];
      if (message === 'done') return;
      onInput(message.input);
      worker.postMessage('begin');
    }
  } finally {
    await worker.terminate();
  }
}

async function sendFrame(port: number, text: string, peer: HostilePeer): Promise<void> {
  await greet(port, peer, socket => socket.send(text));
}

async function sendRawFrames(port: number, bytes: Buffer, peer: HostilePeer): Promise<void> {
  // `ws` has no public way to send raw bytes.
  await greet(port, peer, socket => (socket as unknown as { readonly _socket: Socket })._socket.write(bytes));
}

/** Sends after a greeting on a new connection, and waits until the bridge has received it or closed the connection. */
async function greet(port: number, { key }: HostilePeer, send: (socket: WebSocket) => unknown): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/mcp/stream`, { perMessageDeflate: false });
  socket.on('error', () => undefined);
  const closed = new Promise(resolve => socket.once('close', resolve));
  await Promise.race([once(socket, 'open'), closed]);
  if (socket.readyState !== WebSocket.OPEN) return;
  if (key !== undefined) await proveKey(socket, key);
  socket.send(hello);
  send(socket);
  // The answer to this ping is the sign that everything before it was received.
  const answered = new Promise<void>(resolve => socket.on('pong', data => data.toString() === 'end' && resolve()));
  socket.ping('end');
  await Promise.race([answered, closed]);
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

async function begin(input: string): Promise<void> {
  if (parentPort === null) return;
  const answer = once(parentPort, 'message');
  parentPort.postMessage({ input });
  await answer;
}

async function attack(port: number, peer: HostilePeer): Promise<void> {
  for (const [name, frame] of Object.entries(frames)) {
    const text = frame();
    await begin(name);
    await sendFrame(port, text, peer);
  }
  for (const [name, stream] of Object.entries(frameStreams)) {
    const bytes = stream();
    await begin(name);
    await sendRawFrames(port, bytes, peer);
  }
  for (const [name, stream] of Object.entries(streams)) {
    const bytes = stream();
    await begin(name);
    const socket = half(port, bytes);
    await new Promise(resolve => socket.once('close', resolve).resume());
  }
  const session = peer.key === undefined ? undefined : await openSession(port, peer.key);
  const { headers = {} } = session ?? {};
  await using plugin = new FakePlugin(`http://127.0.0.1:${port}`, headers);
  if (session !== undefined || peer.isLive === true) await plugin.connect();
  if (peer.isLive === true) await plugin.listen();
  for (const [name, body] of Object.entries(bodies)) {
    const bytes = body(plugin.info ?? { sessionId: '', rootInstanceId: '' });
    await begin(name);
    await post(port, bytes, headers);
  }
  await begin('halfOpen');
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
