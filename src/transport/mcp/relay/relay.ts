import { NO_TIMEOUT_MS } from '../../../protocol/limits.ts';
import type { Readable, Writable } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  ErrorCode,
  type JSONRPCRequest,
  McpError,
  type Result,
  ResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '../../../base/errors.ts';
import { SerialQueue } from '../../../base/serial-queue.ts';
import { useFirstId } from '../../../mcp/elicitation.ts';
import { failureForAgent } from '../../../mcp/hide-folders.ts';
import { toolFailure } from '../../../mcp/result.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Logger } from '../../../ports/logger.ts';
import { StdioTransport } from '../stdio-transport.ts';
import { connectUpstream, isAnswer, type RelayTarget, type Upstream, wasNotDelivered } from './upstream.ts';

/** Interval and timeout of the pings to a bridge that is processing a request. */
const HEARTBEAT_MS = 5000;
/** Attempts per request, because bridges restart when a window reloads. */
const TRIES = 3;
/** Attempts to connect again without a request, and the pause between them. After that, the next request tries again. */
const RECONNECT_TRIES = 20;
const RECONNECT_MS = 500;

export interface RelayDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly version: string;
  readonly instructions: string;
  /** The bridge to use, looked up before every request. @throws AppError if there is none */
  target(): Promise<RelayTarget>;
}

/** The context of one request of the client. */
interface RelayedCall {
  readonly signal: AbortSignal;
  readonly progress: ((progress: object) => void) | undefined;
}

/**
 * Serves one client over two streams and forwards each request to the bridge that runs at that time. So the client can start before the
 * bridge, and stays connected when a window reloads. A request that a bridge may have started is not repeated; it fails with BRIDGE_LOST.
 */
export async function relayStdio(
  deps: RelayDeps,
  streams: { readonly input: Readable; readonly output: Writable },
  stop: AbortSignal,
): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const transport = new StdioTransport(streams.input, streams.output);
  const server = new Server(
    { name: 'atlas-bridge', title: 'Atlas Bridge', version: deps.version },
    {
      capabilities: { tools: {}, prompts: {}, resources: { subscribe: true }, logging: {}, completions: {} },
      instructions: deps.instructions,
    },
  );
  // The bridge filters the log.
  server.removeRequestHandler('logging/setLevel');
  const followed = new Set<string>();
  let logLevel: Pick<JSONRPCRequest, 'method' | 'params'> | undefined;
  let current: Upstream | undefined;
  let isChecking = false;
  const queue = new SerialQueue();
  const ended = new AbortController();
  const closing = ended.signal;

  const connect = async (): Promise<Upstream> => {
    const target = await deps.target();
    if (current?.target.mcpUrl === target.mcpUrl && current.target.token === target.token) return current;
    if (current !== undefined) await forget(current);
    const who = server.getClientVersion() ?? { name: 'an MCP client', version: '0' };
    const made = await connectUpstream(target, who, {
      capabilities: server.getClientCapabilities(),
      onNotification: notification => void server.notification(notification),
      onRequest(asked, signal) {
        useFirstId(server, () => server.ping());
        return server.request(asked, ResultSchema, { signal, timeout: NO_TIMEOUT_MS });
      },
    });
    current = made;
    made.onTrouble(() => void reconnectIfLost(made));
    for (const uri of followed) await made.client.subscribeResource({ uri });
    if (logLevel !== undefined) await made.client.request(logLevel, ResultSchema);
    return made;
  };
  // One at a time: a second connection would keep the bridge running like another client.
  const upstream = (): Promise<Upstream> => queue.run(closing, connect);
  /** Connects again as soon as the bridge has stopped, so that Studio and notifications need not wait for the next request. */
  const reconnectIfLost = async (made: Upstream): Promise<void> => {
    if (isChecking || current !== made) return;
    isChecking = true;
    try {
      await made.client.ping({ timeout: HEARTBEAT_MS });
    } catch {
      await forget(made);
      await reconnect();
    } finally {
      isChecking = false;
    }
  };
  /** A killed bridge can look alive for a moment, so one attempt is not enough. */
  const reconnect = async (): Promise<void> => {
    for (let left = RECONNECT_TRIES; left > 0 && !closing.aborted; left -= 1) {
      try {
        await upstream();
        return;
      } catch (error) {
        deps.log.info('could not connect to a bridge', { reason: String(error) });
      }
      await new Promise<void>(resolve => void deps.clock.after(RECONNECT_MS, resolve));
    }
  };
  const forget = async (lost: Upstream): Promise<void> => {
    if (current === lost) current = undefined;
    await lost[Symbol.asyncDispose]();
  };

  server.fallbackRequestHandler = async (request, extra) => {
    const token = extra._meta?.progressToken;
    extra.signal.addEventListener('abort', () => transport.answered(extra.requestId), { once: true });
    const relayed: RelayedCall = {
      signal: extra.signal,
      progress:
        token === undefined
          ? undefined
          : params =>
              void extra.sendNotification({
                method: 'notifications/progress',
                params: { progress: 0, ...params, progressToken: token },
              }),
    };
    noteSubscription(request, followed);
    if (request.method === 'logging/setLevel') logLevel = { method: request.method, params: request.params };
    for (let left = TRIES; ; left -= 1) {
      let used: Upstream | undefined;
      try {
        used = await upstream();
        return await ask(used, request, relayed, deps.clock);
      } catch (error) {
        if (error instanceof AppError) return failure(request, error);
        if (relayed.signal.aborted) throw error;
        if (isAnswer(error)) throw withoutPrefix(error);
        deps.log.info('the bridge was lost', { method: request.method, reason: String(error) });
        if (used !== undefined) await forget(used);
        if (left > 1 && (wasNotDelivered(error) || request.method !== 'tools/call')) continue;
        return failure(request, new AppError('BRIDGE_LOST', { request: nameOf(request) }));
      }
    }
  };
  server.onclose = () => {
    ended.abort();
    resolve();
  };
  await server.connect(transport);
  stop.addEventListener('abort', () => void server.close(), { once: true });
  if (stop.aborted) await server.close();
  await closed;
  // After a connection attempt in progress, so that it does not outlive this client.
  await queue.run(new AbortController().signal, async () => {
    if (current !== undefined) await forget(current);
  });
}

/** Forwards a request and waits for the answer while the bridge responds to pings. */
async function ask(upstream: Upstream, request: JSONRPCRequest, relayed: RelayedCall, clock: Clock): Promise<Result> {
  const lost = new AbortController();
  let cancelTimer = (): void => {};
  let isPinging = false;
  const ping = (): void => {
    if (isPinging) return;
    isPinging = true;
    cancelTimer();
    upstream.client.ping({ timeout: HEARTBEAT_MS }).then(
      () => {
        isPinging = false;
        cancelTimer = clock.after(HEARTBEAT_MS, ping);
      },
      (error: unknown) => lost.abort(error),
    );
  };
  cancelTimer = clock.after(HEARTBEAT_MS, ping);
  using _trouble = upstream.onTrouble(ping);
  const { _meta: meta = {}, ...params } = request.params ?? {};
  const { progressToken: _token, ...restOfMeta } = meta;
  try {
    return await upstream.client.request(
      { method: request.method, params: { ...params, _meta: restOfMeta } },
      ResultSchema,
      {
        signal: AbortSignal.any([relayed.signal, lost.signal]),
        timeout: NO_TIMEOUT_MS,
        ...(relayed.progress && { onprogress: relayed.progress }),
      },
    );
  } finally {
    isPinging = true;
    cancelTimer();
  }
}

function noteSubscription({ method, params }: JSONRPCRequest, followed: Set<string>): void {
  const uri = params?.['uri'];
  if (typeof uri !== 'string') return;
  if (method === 'resources/subscribe') followed.add(uri);
  if (method === 'resources/unsubscribe') followed.delete(uri);
}

const nameOf = ({ method, params }: JSONRPCRequest): string => {
  const name = params?.['name'];
  return method === 'tools/call' && typeof name === 'string' ? name : method;
};

/** A failed tool call becomes a tool result; any other failed request becomes a protocol error. */
function failure(request: JSONRPCRequest, error: AppError): Result {
  if (request.method === 'tools/call') return { ...toolFailure(error, true) };
  throw new McpError(ErrorCode.InternalError, failureForAgent(error));
}

/** Removes the prefixes that the SDK adds to the message at each end. */
const withoutPrefix = ({ code, message, data }: McpError): McpError =>
  new McpError(code, message.replace(/^(MCP error -?\d+: )+/, ''), data);
