import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { MCP_EVENT_LIMITS } from '../../protocol/limits.ts';

/** The name that the SDK gives to the stream of a GET request, which carries messages that belong to no request. */
export const STANDALONE_STREAM = '_GET_stream';

export interface StoredEvent {
  readonly id: string;
  /** `undefined` for the priming event, which only has an id. */
  readonly message: JSONRPCMessage | undefined;
}

interface EventStream {
  readonly events: { readonly sequence: number; readonly message: JSONRPCMessage | undefined; readonly size: number }[];
  readonly requests: readonly RequestId[];
  /** Number of requests that have no response yet; a stream without any is complete. */
  open: number;
}

/**
 * The latest events of one session, so that a client whose connection was cut gets the rest. Bounded by `MCP_EVENT_LIMITS`; the oldest
 * events are dropped first.
 */
export class SessionEvents implements EventStore {
  readonly #streams = new Map<string, EventStream>();
  readonly #order: { readonly streamId: string; readonly sequence: number }[] = [];
  #sequence = 0;
  #size = 0;
  /** The requests of the HTTP request whose stream the SDK opens at the moment. */
  readonly #openingRequests: () => readonly RequestId[] | undefined;

  constructor(openingRequests: () => readonly RequestId[] | undefined = () => undefined) {
    this.#openingRequests = openingRequests;
  }

  storeEvent(streamId: string, message: JSONRPCMessage | Record<string, never>): Promise<string> {
    const isPriming = !('jsonrpc' in message);
    let stream = this.#streams.get(streamId);
    if (stream === undefined) {
      const requests = isPriming ? (this.#openingRequests() ?? []) : [];
      stream = { events: [], requests, open: Math.max(1, requests.length) };
      this.#streams.set(streamId, stream);
    }
    const isResponse = 'result' in message || 'error' in message;
    if (isResponse && streamId !== STANDALONE_STREAM) stream.open -= 1;
    this.#sequence += 1;
    const sequence = this.#sequence;
    const size = sizeOf(message);
    stream.events.push({ sequence, message: isPriming ? undefined : (message as JSONRPCMessage), size });
    this.#order.push({ streamId, sequence });
    this.#size += size;
    this.#dropOldest();
    return Promise.resolve(`${streamId}_${sequence}`);
  }

  getStreamIdForEventId(id: string): Promise<string | undefined> {
    const { streamId } = parseId(id);
    return Promise.resolve(streamId === STANDALONE_STREAM || this.after(id) !== undefined ? streamId : undefined);
  }

  async replayEventsAfter(
    lastId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const { streamId, sequence } = parseId(lastId);
    // A stream that lost notifications still carries later ones.
    const rest = this.after(lastId) ?? this.#eventsAfter(streamId, sequence);
    for (const { id, message } of rest) if (message !== undefined) await send(id, message);
    return streamId;
  }

  /** The events of the same stream after `id`; `undefined` if one of them may have been dropped or the stream is unknown. */
  after(id: string): readonly StoredEvent[] | undefined {
    const { streamId, sequence } = parseId(id);
    const isStored = this.#streams.get(streamId)?.events.some(event => event.sequence === sequence) === true;
    return isStored ? this.#eventsAfter(streamId, sequence) : undefined;
  }

  /** Whether no event will follow on the stream of the event `id`. */
  isComplete(id: string): boolean {
    const { streamId } = parseId(id);
    return streamId !== STANDALONE_STREAM && (this.#streams.get(streamId)?.open ?? 0) <= 0;
  }

  /** Drops the stream of a request that the client has cancelled, so that the client does not resume it. */
  forgetRequest(request: RequestId): void {
    for (const [streamId, { requests, events }] of this.#streams)
      if (requests.includes(request)) {
        this.#streams.delete(streamId);
        for (const { size } of events) this.#size -= size;
      }
  }

  #eventsAfter(streamId: string, sequence: number): readonly StoredEvent[] {
    const events = this.#streams.get(streamId)?.events ?? [];
    return events
      .filter(event => event.sequence > sequence)
      .map(event => ({ id: `${streamId}_${event.sequence}`, message: event.message }));
  }

  /** Keeps at least the latest event, whatever its size. */
  #dropOldest(): void {
    while (
      this.#order.length > 1 &&
      (this.#order.length > MCP_EVENT_LIMITS.count || this.#size > MCP_EVENT_LIMITS.bytes)
    ) {
      const oldest = this.#order.shift();
      const stream = oldest && this.#streams.get(oldest.streamId);
      if (oldest === undefined || stream?.events[0]?.sequence !== oldest.sequence) continue;
      this.#size -= stream.events.shift()?.size ?? 0;
      if (stream.events.length === 0) this.#streams.delete(oldest.streamId);
    }
  }
}

function parseId(id: string): { readonly streamId: string; readonly sequence: number } {
  const at = id.lastIndexOf('_');
  return { streamId: id.slice(0, Math.max(at, 0)), sequence: Number(id.slice(at + 1)) };
}

/** Bytes of a message that are not its texts, estimated. */
const OVERHEAD_BYTES = 500;

/** Estimates the bytes of a message: encoding a large answer only to measure it would block the event loop. */
function sizeOf(message: object): number {
  const content = 'result' in message ? (message.result as { readonly content?: unknown }).content : undefined;
  if (!Array.isArray(content)) return OVERHEAD_BYTES;
  // The structured content of an answer repeats its text.
  const texts = content.map((part: { readonly text?: unknown }) =>
    typeof part.text === 'string' ? part.text.length : 0,
  );
  return OVERHEAD_BYTES + texts.reduce((sum, length) => sum + 2 * length, 0);
}
