import { setTimeout as wait } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type ClientCapabilities,
  ErrorCode,
  type Implementation,
  McpError,
  type Notification,
  type Request,
  type Result,
} from '@modelcontextprotocol/sdk/types.js';
import { Emitter, type Event } from '../../../base/emitter.ts';
import { hasErrorCode } from '../../../base/errno.ts';

/** The address and token of a running bridge. */
export interface RelayTarget {
  readonly mcpUrl: string;
  readonly token: string;
}

/** One connection to a bridge. Disposing ends its session there. */
export interface Upstream extends AsyncDisposable {
  readonly target: RelayTarget;
  readonly client: Client;
  /** Fires on a connection problem, so that the relay checks whether the bridge still runs. */
  readonly onTrouble: Event<void>;
}

/** Time for the bridge to acknowledge the end of a session; a bridge that has stopped does not. */
const END_MS = 500;

/** The messages of the bridge for the real client. */
export interface UpstreamReceiver {
  /** The capabilities of the real client. Only forms are passed on, because the bridge uses nothing else. */
  readonly capabilities: ClientCapabilities | undefined;
  /** Gets notifications of the bridge, for example of a changed resource. */
  onNotification(notification: Notification): void;
  /** Answers a request of the bridge, for example a form for the person. */
  onRequest(request: Request, signal: AbortSignal): Promise<Result>;
}

/**
 * Connects to a bridge with the client information `who`, so that the bridge shows the real client to people.
 *
 * @param receiver the real client
 */
export async function connectUpstream(
  target: RelayTarget,
  who: Implementation,
  receiver: UpstreamReceiver,
): Promise<Upstream> {
  const { elicitation } = receiver.capabilities ?? {};
  const client = new Client(who, { capabilities: elicitation === undefined ? {} : { elicitation } });
  client.fallbackNotificationHandler = async notification => receiver.onNotification(notification);
  client.fallbackRequestHandler = ({ method, params }, { signal }) => receiver.onRequest({ method, params }, signal);
  const transport = new StreamableHTTPClientTransport(new URL(target.mcpUrl), {
    requestInit: { headers: { Authorization: `Bearer ${target.token}` } },
  });
  // Cast, because the SDK's transport does not match its interface under `exactOptionalPropertyTypes`.
  await client.connect(transport as Transport);
  const trouble = new Emitter<void>();
  client.onerror = () => trouble.fire();
  return {
    target,
    client,
    onTrouble: trouble.event,
    async [Symbol.asyncDispose]() {
      const done = new AbortController();
      // A bridge that has stopped has no session to end.
      const ended = transport.terminateSession().catch(() => undefined);
      await Promise.race([ended, wait(END_MS, undefined, { signal: done.signal }).catch(() => undefined)]);
      done.abort();
      await client.close();
    },
  };
}

/** Whether the error is an answer of the bridge; otherwise the connection failed. */
export const isAnswer = (error: unknown): error is McpError =>
  error instanceof McpError && ![ErrorCode.ConnectionClosed, ErrorCode.RequestTimeout].includes(error.code);

/** Whether the failed request did not reach a bridge: the port is closed, or the session or token is unknown. */
export function wasNotDelivered(error: unknown): boolean {
  if (error instanceof StreamableHTTPError) return error.code === 404 || error.code === 401;
  const cause: unknown = error instanceof TypeError ? error.cause : undefined;
  return hasErrorCode(cause, 'ECONNREFUSED');
}
