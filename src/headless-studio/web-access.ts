import { STATUS_CODES } from 'node:http';
import { WebSocket } from 'ws';
import { MAX_FRAME_BYTES } from '../protocol/limits.ts';
import type { LuauValue } from './luau-value.ts';

/** The network requests of Luau, in the shapes of `luau/services/http.luau`. */
export interface HttpRequest {
  readonly id: number;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}
export interface SocketRequest {
  readonly id: number;
  readonly url: string;
}

const REQUEST_MS = 120_000;

/**
 * Real HTTP and WebSockets for a headless Studio. Connects only to this machine and the hosts in `allowedHosts`, because a place that is
 * checked in CI must not contact other servers. Passes answers to `deliver` as messages for the VM.
 */
export class WebAccess implements Disposable {
  readonly #deliver: (message: LuauValue) => void;
  readonly #allowedHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
  readonly #sockets = new Map<number, WebSocket>();
  readonly #ended = new AbortController();

  constructor(deliver: (message: LuauValue) => void) {
    this.#deliver = deliver;
  }

  /** Allows connections to this host as well: the one that a person asked to connect to. */
  allow(host: string): void {
    this.#allowedHosts.add(host);
  }

  async request({ id, url, method, headers, body }: HttpRequest): Promise<void> {
    const answer = (fields: Readonly<Record<string, LuauValue>>): void =>
      this.#send({ kind: 'httpAnswer', id, ...fields });
    const refusal = this.#refusal(url);
    if (refusal !== undefined) return answer({ problem: refusal });
    try {
      const response = await fetch(url, {
        method,
        headers,
        ...(body === undefined ? {} : { body: new Uint8Array(body) }),
        redirect: 'error',
        signal: AbortSignal.any([this.#ended.signal, AbortSignal.timeout(REQUEST_MS)]),
      });
      const content = new Uint8Array(await response.arrayBuffer());
      answer({
        status: response.status,
        statusMessage: response.statusText || (STATUS_CODES[response.status] ?? ''),
        headers: new Map(response.headers),
        body: content,
      });
    } catch (error) {
      answer({ problem: `ConnectFail (${reasonOf(error)})` });
    }
  }

  openSocket({ id, url }: SocketRequest): void {
    const refusal = this.#refusal(url);
    if (refusal !== undefined) return this.#send({ kind: 'socketFailed', id, status: 0, problem: refusal });
    const socket = new WebSocket(url, { maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false });
    this.#sockets.set(id, socket);
    let failure: string | undefined;
    socket.on('open', () => this.#send({ kind: 'socketOpened', id, status: 101, headers: '' }));
    socket.on('message', data => this.#send({ kind: 'socketMessage', id, data: toBytes(data) }));
    // `close` always follows, and reports the end once.
    socket.on('error', error => (failure = reasonOf(error)));
    socket.on('close', () => {
      if (!this.#sockets.delete(id)) return;
      if (failure === undefined) this.#send({ kind: 'socketClosed', id });
      else this.#send({ kind: 'socketFailed', id, status: 0, problem: failure });
    });
  }

  sendToSocket(id: number, data: Uint8Array): void {
    // A text frame, as Studio sends.
    this.#sockets.get(id)?.send(data, { binary: false });
  }

  closeSocket(id: number): void {
    const socket = this.#sockets.get(id);
    this.#sockets.delete(id);
    socket?.close();
  }

  [Symbol.dispose](): void {
    this.#ended.abort(new Error('headless Studio ended'));
    for (const socket of this.#sockets.values()) socket.terminate();
    this.#sockets.clear();
  }

  #send(message: LuauValue): void {
    if (!this.#ended.signal.aborted) this.#deliver(message);
  }

  #refusal(url: string): string | undefined {
    if (!URL.canParse(url)) return `InvalidUrl (${url})`;
    const { hostname } = new URL(url);
    return this.#allowedHosts.has(hostname)
      ? undefined
      : `headless Studio connects only to this computer, not to ${hostname}`;
  }
}

function toBytes(data: Buffer | ArrayBuffer | Buffer[]): Uint8Array {
  return Array.isArray(data) ? Buffer.concat(data) : new Uint8Array(data);
}

/** Node hides the reason of a failed request in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
