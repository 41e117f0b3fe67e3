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
import { inWords } from '../../../base/sentence.ts';
import { toolFailure } from '../../../mcp/result.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Logger } from '../../../ports/logger.ts';
import { forAgent } from '../../../protocol/error-body.ts';
import { StdioTransport } from '../stdio-transport.ts';
import { connectUpstream, isAnswer, type RelayTarget, type Upstream, wasNotDelivered } from './upstream.ts';

/** How often a bridge that works on a request is asked whether it is still there, and how long it may take to say so. */
const HEARTBEAT_MS = 5000;
/** A request may take as long as a person does: what limits it is the budget of the bridge, and whoever cancels it. */
const NO_LIMIT_MS = 2 ** 31 - 1;
/** Bridges come and go while a window reloads. */
const TRIES = 3;

export interface RelayDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly version: string;
  readonly instructions: string;
  /** The bridge to ask now; looked up before every request. @throws AppError when there is none */
  target(): Promise<RelayTarget>;
}

/** What the relay needs of one request of its client. */
interface RelayedCall {
  readonly signal: AbortSignal;
  readonly progress: ((progress: object) => void) | undefined;
}

/**
 * Serves one client over two streams from whatever bridge runs: each request goes to the bridge that is there when it comes, so a
 * client that started first, or that outlives a reload of the window, never sees its server fail. A request that a bridge may have begun
 * is not sent twice: its failure says BRIDGE_LOST.
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
      capabilities: { tools: {}, prompts: {}, resources: { subscribe: true } },
      instructions: deps.instructions,
    },
  );
  const followed = new Set<string>();
  let connecting: Promise<Upstream> | undefined;

  const upstream = async (): Promise<Upstream> => {
    const target = await deps.target();
    const known = await connecting?.catch(() => undefined);
    if (known?.target.mcpUrl === target.mcpUrl && known.target.token === target.token) return known;
    await known?.[Symbol.asyncDispose]();
    const who = server.getClientVersion() ?? { name: 'an MCP client', version: '0' };
    connecting = connectUpstream(target, who, notification => void server.notification(notification));
    const made = await connecting;
    for (const uri of followed) await made.client.subscribeResource({ uri });
    return made;
  };
  const forget = async (): Promise<void> => {
    const lost = await connecting?.catch(() => undefined);
    connecting = undefined;
    await lost?.[Symbol.asyncDispose]();
  };

  server.fallbackRequestHandler = async (request, extra) => {
    const token = extra._meta?.progressToken;
    extra.signal.addEventListener('abort', () => transport.answered(extra.requestId), { once: true });
    const asked: RelayedCall = {
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
    for (let left = TRIES; ; left -= 1) {
      try {
        return await ask(await upstream(), request, asked, deps.clock);
      } catch (error) {
        if (error instanceof AppError) return failure(request, error);
        if (asked.signal.aborted) throw error;
        if (isAnswer(error)) throw withoutPrefix(error);
        deps.log.info('the bridge was lost', { method: request.method, reason: String(error) });
        await forget();
        if (left > 1 && (wasNotDelivered(error) || request.method !== 'tools/call')) continue;
        return failure(request, new AppError('BRIDGE_LOST', { request: nameOf(request) }));
      }
    }
  };
  server.onclose = () => resolve();
  await server.connect(transport);
  stop.addEventListener('abort', () => void server.close(), { once: true });
  if (stop.aborted) await server.close();
  await closed;
  await forget();
}

/** Sends a request on and waits for its answer, as long as the bridge shows that it is there. */
async function ask(upstream: Upstream, request: JSONRPCRequest, asked: RelayedCall, clock: Clock): Promise<Result> {
  const lost = new AbortController();
  let cancelTimer = (): void => {};
  let isLooking = false;
  const look = (): void => {
    if (isLooking) return;
    isLooking = true;
    cancelTimer();
    upstream.client.ping({ timeout: HEARTBEAT_MS }).then(
      () => {
        isLooking = false;
        cancelTimer = clock.after(HEARTBEAT_MS, look);
      },
      (error: unknown) => lost.abort(error),
    );
  };
  cancelTimer = clock.after(HEARTBEAT_MS, look);
  upstream.onTrouble = look;
  const { _meta: meta = {}, ...params } = request.params ?? {};
  const { progressToken: _token, ...restOfMeta } = meta;
  try {
    return await upstream.client.request(
      { method: request.method, params: { ...params, _meta: restOfMeta } },
      ResultSchema,
      {
        signal: AbortSignal.any([asked.signal, lost.signal]),
        timeout: NO_LIMIT_MS,
        ...(asked.progress && { onprogress: asked.progress }),
      },
    );
  } finally {
    isLooking = true;
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

/** What a tool could not do is a result of the tool; anything else is an error of the protocol. */
function failure(request: JSONRPCRequest, error: AppError): Result {
  if (request.method === 'tools/call') return { ...toolFailure(error, true) };
  throw new McpError(ErrorCode.InternalError, inWords(forAgent(error)));
}

/** The SDK writes its own words before those of the bridge, once at each end. */
const withoutPrefix = ({ code, message, data }: McpError): McpError =>
  new McpError(code, message.replace(/^(MCP error -?\d+: )+/, ''), data);
