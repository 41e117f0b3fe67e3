import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

/**
 * A proxy between a Studio and its bridge. It counts the messages of the command stream; the one at `cutAt` is lost and the link closes.
 * With `pieceBytes`, messages travel in fragments of that size, one per turn of the event loop, and HTTP answers do too.
 */
export class StudioProxy implements AsyncDisposable {
  /** `toStudio: compare`, `toBridge: compared`, in order, from all connections. */
  readonly passed: string[] = [];
  /** One-based; 0 never breaks the link. */
  cutAt = 0;
  pieceBytes: number | undefined;
  /** Changes a message on its way to Studio. */
  edit: (message: Readonly<Record<string, unknown>>) => object = message => message;
  readonly #bridge: URL;
  readonly #server = createServer((request, response) => this.#forward(request, response));
  readonly #sockets = new WebSocketServer({ noServer: true });

  private constructor(bridgeUrl: string) {
    this.#bridge = new URL(bridgeUrl);
    this.#server.on('upgrade', (request, socket, head) =>
      this.#sockets.handleUpgrade(request, socket, head, studio => this.#relay(studio, request.url ?? '')),
    );
  }

  static async start(bridgeUrl: string): Promise<StudioProxy> {
    const proxy = new StudioProxy(bridgeUrl);
    await new Promise<void>(resolve => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const studio of this.#sockets.clients) studio.terminate();
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }

  #forward(request: IncomingMessage, response: ServerResponse): void {
    const { hostname, port, host } = this.#bridge;
    const headers = { ...request.headers, host };
    const { method = 'GET', url: path = '/' } = request;
    const onward = httpRequest({ hostname, port, path, method, headers }, answer => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on(
        'end',
        () =>
          void this.#inPieces(Buffer.concat(chunks), (piece, isLast) => {
            response.write(piece);
            if (isLast) response.end();
          }),
      );
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  }

  #relay(studio: WebSocket, path: string): void {
    const bridge = new WebSocket(`${this.#bridge.href.replace('http', 'ws').replace(/\/$/, '')}${path}`);
    const cut = (): void => {
      studio.terminate();
      bridge.terminate();
    };
    const waiting: Buffer[] = [];
    // Fragments of different messages must not interleave.
    const order = new Map<WebSocket, Promise<void>>();
    const pass = (direction: string, to: WebSocket, bytes: Buffer): void => {
      this.passed.push(`${direction}: ${String((JSON.parse(String(bytes)) as { type?: unknown }).type)}`);
      if (this.passed.length === this.cutAt) return cut();
      const send = (piece: Buffer, fin: boolean): void => to.send(piece, { binary: false, fin });
      if (this.pieceBytes === undefined) return send(bytes, true);
      order.set(
        to,
        (order.get(to) ?? Promise.resolve()).then(() => this.#inPieces(bytes, send)),
      );
    };
    studio.on('message', (bytes: Buffer) => {
      if (bridge.readyState === WebSocket.OPEN) pass('toBridge', bridge, bytes);
      else waiting.push(bytes);
    });
    bridge.on('open', () => waiting.splice(0).forEach(bytes => pass('toBridge', bridge, bytes)));
    bridge.on('message', (bytes: Buffer) => {
      const message = JSON.parse(String(bytes)) as Readonly<Record<string, unknown>>;
      const edited = this.edit(message);
      pass('toStudio', studio, edited === message ? bytes : Buffer.from(JSON.stringify(edited)));
    });
    for (const end of [studio, bridge]) end.on('close', cut).on('error', cut);
  }

  async #inPieces(bytes: Buffer, send: (piece: Buffer, isLast: boolean) => void): Promise<void> {
    const size = this.pieceBytes ?? bytes.length;
    for (let at = 0; at === 0 || at < bytes.length; at += size) {
      send(bytes.subarray(at, at + size), at + size >= bytes.length);
      if (this.pieceBytes !== undefined) await new Promise(resolve => setImmediate(resolve));
    }
  }
}
