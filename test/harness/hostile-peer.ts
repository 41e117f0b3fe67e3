import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { argv, pid } from 'node:process';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import type { StudioKey } from '../../src/ports/studio-keys.ts';
import {
  bodies,
  emptyMaps,
  frames,
  frameStreams,
  LARGE,
  largeWrite,
  streams,
  unfinishedFrame,
} from './hostile-inputs.ts';
import { FakePlugin } from './fake-plugin.ts';
import { proveKey, sessionHeaders } from './prove-key.ts';

/** More than the bridge accepts. */
const UNFINISHED = 12;
const capabilities = ['acknowledgedApply', 'stableIds', 'requestIds'];
const hello = JSON.stringify({ type: 'hello', placeId: 7, placeName: 'Baseplate', capabilities });

/** The permission of the peer. */
export interface HostilePeer {
  /** The key that it proves; without one it only sends its greeting. */
  readonly key?: StudioKey;
  /** Whether it opens a live session first, as an allowed plugin without pairing. */
  readonly isLive?: boolean;
  /** The names of the instances below which it writes 20,000 others; it sends nothing else. */
  readonly writesInto?: readonly string[];
  /** The inputs to send; all by default. */
  readonly only?: readonly string[];
}

const program = fileURLToPath(import.meta.url);

/**
 * Runs the peer against a bridge, in its own process, so that only the bridge can block the bridge and only its memory is measured.
 * Resolves when everything was sent and answered or closed. @param onInput called before each input with its name
 */
export async function attackBridge(
  port: number,
  peer: HostilePeer = {},
  onInput: (name: string) => void = () => {},
): Promise<void> {
  const child = fork(program, [String(port), JSON.stringify(peer)]);
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the hostile peer ended with code ${code}`);
  });
  failed.catch(() => undefined);
  try {
    for (;;) {
      const [message] = (await Promise.race([once(child, 'message'), failed])) as [{ readonly input: string } | 'done'];
      if (message === 'done') return;
      onInput(message.input);
      child.send('begin');
    }
  } finally {
    child.kill();
  }
}

async function sendFrames(port: number, bytes: Buffer, peer: HostilePeer): Promise<void> {
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

/** Resolves with the status; `undefined` if the bridge closed the connection. */
async function post(
  port: number,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  // `fetch` would copy the body.
  const sent = request({ host: '127.0.0.1', port, path: '/api/write', method: 'POST', headers, agent: false });
  sent.end(body);
  return await new Promise(resolve => {
    sent.on('response', answer => {
      answer.resume().once('close', () => resolve(answer.statusCode));
    });
    sent.on('error', () => resolve(undefined));
  });
}

/** Studios that each send all of a message but its end, and stay. */
async function sendUnfinished(port: number, { key }: HostilePeer): Promise<readonly WebSocket[]> {
  const bytes = unfinishedFrame();
  const opened = Array.from({ length: UNFINISHED }, async (_, index) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/mcp/stream`, { perMessageDeflate: false });
    socket.on('error', () => undefined);
    const closed = new Promise(resolve => socket.once('close', resolve));
    await Promise.race([once(socket, 'open'), closed]);
    if (socket.readyState !== WebSocket.OPEN) return socket;
    if (key !== undefined) await Promise.race([proveKey(socket, key).catch(() => undefined), closed]);
    socket.send(JSON.stringify({ type: 'hello', placeId: index, placeName: `Place ${index}`, capabilities }));
    const raw = (socket as unknown as { readonly _socket: Socket })._socket;
    await Promise.race([new Promise(resolve => raw.write(bytes, resolve)), closed]);
    return socket;
  });
  return await Promise.all(opened);
}

const half = (port: number, ...parts: readonly Buffer[]): Socket => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  for (const bytes of parts) socket.write(bytes);
  return socket;
};

/** Keeps a connection open, so that requests with its session are answered. */
async function openSession(
  port: number,
  key: StudioKey,
): Promise<{ socket: WebSocket; headers: Record<string, string> }> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/mcp/stream`);
  await once(socket, 'open');
  const headers = sessionHeaders(await proveKey(socket, key));
  // Without a greeting, the bridge ends the session after some seconds.
  socket.send(hello);
  return { socket, headers };
}

async function begin(input: string): Promise<void> {
  const answer = once(process, 'message');
  process.send?.({ input });
  await answer;
}

/** A plugin with a session, which ends when the peer is busy for so long that it answers no ping: bodies are encoded before. */
interface Session extends AsyncDisposable {
  readonly plugin: FakePlugin;
  readonly headers: Readonly<Record<string, string>>;
}

/** @param isLive whether it opens a feed */
async function startSession(port: number, { key }: HostilePeer, isLive: boolean): Promise<Session> {
  const session = key === undefined ? undefined : await openSession(port, key);
  const { headers = {} } = session ?? {};
  const plugin = new FakePlugin(`http://127.0.0.1:${port}`, headers);
  if (session !== undefined || isLive) await plugin.connect();
  if (isLive) await plugin.listen();
  return {
    plugin,
    headers,
    async [Symbol.asyncDispose]() {
      await plugin[Symbol.asyncDispose]();
      session?.socket.terminate();
    },
  };
}

async function writeMuch(port: number, peer: HostilePeer): Promise<void> {
  const { writesInto = [] } = peer;
  const bodies: (readonly [path: string, Buffer])[] = [];
  {
    await using session = await startSession(port, peer, true);
    const { plugin } = session;
    // Each attack writes other instances, because the bridge skips what it has.
    for (const path of writesInto)
      bodies.push([path, largeWrite(plugin.info.sessionId, plugin.at(path).Id, `Large${pid}`)]);
  }
  await using session = await startSession(port, peer, true);
  for (const [path, bytes] of bodies) {
    await begin(path);
    const { status, body } = await session.plugin.postBytes('/api/write', bytes);
    if (status !== 200) throw new Error(JSON.stringify(body));
  }
}

async function attack(port: number, peer: HostilePeer): Promise<void> {
  if (peer.writesInto !== undefined) return writeMuch(port, peer);
  const isSent = (name: string): boolean => peer.only?.includes(name) ?? true;
  const sent = <T>(inputs: Readonly<Record<string, T>>) => Object.entries(inputs).filter(([name]) => isSent(name));
  for (const [name, input] of sent({ ...frames, ...frameStreams })) {
    const bytes = input();
    await begin(name);
    await sendFrames(port, bytes, peer);
  }
  for (const [name, stream] of sent(streams)) {
    const bytes = stream();
    await begin(name);
    const socket = half(port, bytes);
    await new Promise(resolve => socket.once('close', resolve).resume());
  }
  const { isLive = false } = peer;
  let info = { sessionId: '', rootInstanceId: '' };
  if (peer.key !== undefined || isLive) {
    await using session = await startSession(port, peer, isLive);
    ({ info } = session.plugin);
  }
  for (const [name, body] of sent(bodies)) {
    const bytes = body(info);
    await using session = await startSession(port, peer, isLive);
    await begin(name);
    const status = await post(port, bytes, session.headers);
    // A refused peer would prove nothing about the body.
    if (status === 403 && peer.key !== undefined) throw new Error(`the session ended before ${name} was sent`);
  }
  if (isSent('unfinishedMessages')) {
    await begin('unfinishedMessages');
    const studios = await sendUnfinished(port, peer);
    await fetch(`http://127.0.0.1:${port}/api/rojo`).catch(() => undefined);
    for (const studio of studios) studio.terminate();
  }
  if (!isSent('halfOpen')) return;
  await using session = await startSession(port, peer, isLive);
  await sendHalfOpen(port, session.headers);
}

async function sendHalfOpen(port: number, headers: Readonly<Record<string, string>>): Promise<void> {
  await begin('halfOpen');
  const lines = Object.entries({ Host: '127.0.0.1', 'Content-Length': LARGE + 1, ...headers });
  const head = `POST /api/write HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  const body = emptyMaps();
  const unfinished = Array.from({ length: 12 }, () => half(port, Buffer.from(head), body));
  const halfOpen = Array.from({ length: 300 }, () => half(port, Buffer.from('GET / HTTP')));
  await fetch(`http://127.0.0.1:${port}/api/rojo`).catch(() => undefined);
  for (const socket of [...unfinished, ...halfOpen]) socket.destroy();
}

if (argv[1] === program) {
  const [, , port, peer = '{}'] = argv;
  await attack(Number(port), JSON.parse(peer) as HostilePeer);
  process.send?.('done');
}
