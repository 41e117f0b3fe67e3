import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { JSONRPCMessageSchema, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { DecodeBudgetError } from '../../base/decode/decode-budget.ts';
import { JsonSyntaxError, parseJsonPausable } from '../../base/decode/paced-json.ts';
import { runToEnd } from '../../base/time-slice.ts';
import { MAX_BODY_BYTES, MESSAGE_LIMITS } from '../../protocol/limits.ts';

/**
 * MCP over two streams: one JSON-RPC message per line, and nothing else on the output. Closes when the input has ended or one of the
 * streams has failed, and all requests are answered.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #rewrite: (message: unknown) => unknown;
  readonly #pending = new Set<RequestId>();
  #rest: Buffer[] = [];
  #restBytes = 0;
  #hasEnded = false;
  #isClosed = false;

  /** @param rewrite transforms every message first; `undefined` if it has handled the message */
  constructor(input: Readable, output: Writable, rewrite: (message: unknown) => unknown = message => message) {
    this.#input = input;
    this.#output = output;
    this.#rewrite = rewrite;
  }

  start(): Promise<void> {
    this.#input.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#input.once('end', () => {
      if (this.#restBytes > 0) this.#takeLine(Buffer.concat(this.#rest));
      this.#hasEnded = true;
      this.#closeWhenDone();
    });
    // A stream that has failed does not end. Without its output, a client cannot get the answer to another request.
    for (const stream of [this.#input, this.#output])
      stream.on('error', error => {
        this.onerror?.(error);
        this.#hasEnded = true;
        this.#closeWhenDone();
      });
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.write(message);
    if ('id' in message && message.id !== undefined && !('method' in message)) this.answered(message.id);
  }

  /** Writes one line. Resolves when the stream has accepted it. */
  write(message: object): Promise<void> {
    return new Promise(resolve => this.#output.write(`${JSON.stringify(message)}\n`, () => resolve()));
  }

  /** Marks a request as finished, also one that the client cancelled. */
  answered(id: RequestId): void {
    this.#pending.delete(id);
    this.#closeWhenDone();
  }

  close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#input.pause();
      this.onclose?.();
    }
    return Promise.resolve();
  }

  /** Keeps the transport open until `work` is done. */
  async holdOpen(id: RequestId, work: Promise<unknown>): Promise<void> {
    this.#pending.add(id);
    // The caller of `work` reports its failure.
    await work.catch(() => undefined);
    this.answered(id);
  }

  #closeWhenDone(): void {
    if (this.#hasEnded && this.#pending.size === 0) void this.close();
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...this.#rest, chunk.subarray(from, end)]);
      this.#rest = [];
      this.#restBytes = 0;
      from = end + 1;
      this.#takeLine(line);
    }
    if (from === chunk.length) return;
    this.#rest.push(chunk.subarray(from));
    this.#restBytes += chunk.length - from;
    if (this.#restBytes <= MAX_BODY_BYTES) return;
    this.#refuse(-32_600, `The message exceeds the limit of ${MAX_BODY_BYTES} bytes.`);
    this.#hasEnded = true;
    this.#input.destroy();
    this.#closeWhenDone();
  }

  #takeLine(bytes: Buffer): void {
    if (bytes.every(byte => byte === 0x20 || byte === 0x0d || byte === 0x09)) return;
    let raw: unknown;
    try {
      raw = runToEnd(parseJsonPausable(bytes, MESSAGE_LIMITS));
    } catch (error) {
      if (error instanceof JsonSyntaxError || error instanceof DecodeBudgetError)
        return this.#refuse(-32_700, 'The line is not valid JSON.');
      throw error;
    }
    const rewritten = this.#rewrite(raw);
    if (rewritten === undefined) return;
    const message = JSONRPCMessageSchema.safeParse(rewritten);
    if (!message.success) {
      // A request without a valid id cannot be answered, so it is ignored like a notification.
      if (typeof rewritten === 'object' && !Array.isArray(rewritten) && rewritten !== null && 'method' in rewritten)
        return;
      return this.#refuse(-32_600, 'The line is not a JSON-RPC message.');
    }
    if ('method' in message.data && 'id' in message.data) this.#pending.add(message.data.id);
    this.onmessage?.(message.data);
  }

  #refuse(code: number, message: string): void {
    void this.write({ jsonrpc: '2.0', id: null, error: { code, message } });
  }
}
