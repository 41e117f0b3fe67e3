import { WebSocket } from 'ws';
import { decodeMsgpack } from '../../src/protocol/msgpack/decode.ts';
import { encodeMsgpack } from '../../src/protocol/msgpack/encode.ts';
import type {
  PatchMessage,
  ReadInstance,
  ReadResponse,
  ServerInfo,
  SocketPacket,
} from '../../src/protocol/studio/messages.ts';
import { until } from './until.ts';

/** Encodes tables like the plugins: an empty table is always a list. */
export function luauTable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(luauTable);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
  return entries.length === 0 ? [] : Object.fromEntries(entries.map(([key, member]) => [key, luauTable(member)]));
}

export interface Answered {
  readonly status: number;
  readonly body: unknown;
}

/** The network side of an unmodified plugin: no extra headers, msgpack bodies, and one socket that it only receives on. */
export class FakePlugin implements AsyncDisposable {
  readonly url: string;
  /** Headers of every request; an unmodified plugin sets none. */
  readonly headers: Readonly<Record<string, string>>;
  /** Every packet of the socket, in order. */
  readonly packets: SocketPacket[] = [];
  /** Set by `connect`. */
  info!: ServerInfo;
  tree!: ReadResponse;
  #socket: WebSocket | undefined;
  #closed: Promise<unknown> = Promise.resolve();

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.url = url;
    this.headers = headers;
  }

  async get(path: string): Promise<Answered> {
    return answered(await fetch(`${this.url}${path}`, { headers: this.headers }));
  }

  async post(path: string, body: unknown): Promise<Answered> {
    return this.postBytes(path, body === '' ? new Uint8Array() : encodeMsgpack(luauTable(body)));
  }

  async postBytes(path: string, bytes: Uint8Array): Promise<Answered> {
    const body = bytes as Uint8Array<ArrayBuffer>;
    return answered(await fetch(`${this.url}${path}`, { method: 'POST', headers: this.headers, body }));
  }

  /** Sends the greeting and reads the tree, as both plugins do first. */
  async connect(): Promise<void> {
    this.info = (await this.get('/api/rojo')).body as ServerInfo;
    this.tree = (await this.get(`/api/read/${this.info.rootInstanceId}`)).body as ReadResponse;
  }

  /** Rejects with the HTTP status when the upgrade is refused. */
  async listen(cursor: number | string = this.tree.messageCursor): Promise<void> {
    const socket = new WebSocket(`${this.url.replace('http', 'ws')}/api/socket/${cursor}`, {
      headers: this.headers,
    });
    this.#socket = socket;
    this.#closed = new Promise(resolve => socket.once('close', resolve));
    socket.on('message', (bytes: Buffer, isBinary) => {
      if (!isBinary) throw new Error('a text frame');
      this.packets.push(decodeMsgpack(new Uint8Array(bytes)) as SocketPacket);
    });
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
  }

  /** Resolves with the messages of all packets once that many have arrived. */
  async messages(packets: number): Promise<readonly PatchMessage[]> {
    await until(() => this.packets.length >= packets);
    return this.packets.flatMap(packet => packet.body.messages);
  }

  /** Drops the socket without a close frame, as a sleeping machine does. */
  cut(): void {
    this.#socket?.terminate();
  }

  get isListening(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** The instance at this path of names below the root, as last read. */
  at(path: string): ReadInstance {
    let found = this.tree.instances[this.info.rootInstanceId]!;
    for (const name of path.split('/')) {
      const child = found.Children.map(id => this.tree.instances[id]).find(one => one?.Name === name);
      if (child === undefined) throw new Error(`no ${name} in ${path}`);
      found = child;
    }
    return found;
  }

  write(body: object): Promise<Answered> {
    return this.post('/api/write', { sessionId: this.info.sessionId, removed: [], updated: [], ...body });
  }

  writeSource(path: string, text: unknown): Promise<Answered> {
    const changedProperties = { Source: { String: text } };
    return this.write({ updated: [{ id: this.at(path).Id, changedProperties }] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket?.terminate();
    await this.#closed;
  }
}

async function answered(response: Response): Promise<Answered> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, body: decodeMsgpack(bytes) };
}

/** `details` of an error. */
export const detailsOf = ({ body }: Answered): string => String((body as { details?: unknown }).details);
