import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, McpError, type Implementation, type Notification } from '@modelcontextprotocol/sdk/types.js';
import { hasErrorCode } from '../../../base/errno.ts';

/** Where a running bridge is reached. */
export interface RelayTarget {
  readonly mcpUrl: string;
  readonly token: string;
}

/** One connection to a bridge. */
export interface Upstream extends AsyncDisposable {
  readonly target: RelayTarget;
  readonly client: Client;
  /** Called when something is wrong with the connection: a reason to look whether the bridge is still there. */
  onTrouble: (() => void) | undefined;
}

/**
 * Connects to a bridge in the name of `who`, so that the bridge tells people who it really is.
 *
 * @param onNotification what the bridge says of itself: a resource has changed
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
  // The SDK's own transport does not fit its interface under `exactOptionalPropertyTypes`.
  await client.connect(transport as Transport);
  const upstream: Upstream = { target, client, onTrouble: undefined, [Symbol.asyncDispose]: () => client.close() };
  client.onerror = () => upstream.onTrouble?.();
  return upstream;
}

/** Whether the bridge itself has answered so; anything else says that the connection failed. */
export const isAnswer = (error: unknown): error is McpError =>
  error instanceof McpError && ![ErrorCode.ConnectionClosed, ErrorCode.RequestTimeout].includes(error.code);

/** Whether the bridge cannot have seen the request that failed with `error`: nobody listens there, or the session is not known there. */
export function wasNotDelivered(error: unknown): boolean {
  if (error instanceof StreamableHTTPError) return error.code === 404 || error.code === 401;
  const cause: unknown = error instanceof TypeError ? error.cause : undefined;
  return hasErrorCode(cause, 'ECONNREFUSED');
}
