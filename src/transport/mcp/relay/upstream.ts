import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, McpError, type Implementation, type Notification } from '@modelcontextprotocol/sdk/types.js';
import { hasErrorCode } from '../../../base/errno.ts';

/** The address and token of a running bridge. */
export interface RelayTarget {
  readonly mcpUrl: string;
  readonly token: string;
}

/** One connection to a bridge. */
export interface Upstream extends AsyncDisposable {
  readonly target: RelayTarget;
  readonly client: Client;
  /** Called on a connection problem, so that the relay checks whether the bridge still runs. */
  onTrouble: (() => void) | undefined;
}

/**
 * Connects to a bridge with the client information `who`, so that the bridge shows the real client to people.
 *
 * @param onNotification gets notifications of the bridge, for example of a changed resource
 */
export async function connectUpstream(
  target: RelayTarget,
  who: Implementation,
  onNotification: (notification: Notification) => void,
): Promise<Upstream> {
  const client = new Client(who);
  client.fallbackNotificationHandler = async notification => onNotification(notification);
  const transport = new StreamableHTTPClientTransport(new URL(target.mcpUrl), {
    requestInit: { headers: { Authorization: `Bearer ${target.token}` } },
  });
  // Cast, because the SDK's transport does not match its interface under `exactOptionalPropertyTypes`.
  await client.connect(transport as Transport);
  const upstream: Upstream = { target, client, onTrouble: undefined, [Symbol.asyncDispose]: () => client.close() };
  client.onerror = () => upstream.onTrouble?.();
  return upstream;
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
