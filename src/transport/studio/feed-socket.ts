import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { TreeFeed } from '../../studio/feed/tree-feed.ts';
import type { StudioFeed } from '../../ports/studio-feed.ts';
import type { StudioDialect } from '../../protocol/studio/messages.ts';
import { RefusedRequest } from './reply.ts';

/** Upgrades an HTTP request to a feed and calls `onFeed` before it returns. */
export type UpgradeToFeed = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  onFeed: (feed: StudioFeed) => void,
) => void;

/** The cursor of `/api/socket/<cursor>`. @throws RefusedRequest if it is not a 32-bit whole number */
export function parseCursor(text: string): number {
  const cursor = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(cursor <= 0xffffffff))
    throw new RefusedRequest(400, 'BadRequest', `"${text}" is not a cursor (a whole number from /api/read).`);
  return cursor;
}

/** WebSocket `/api/socket/<cursor>`: sends changes to a plugin. @throws RefusedRequest before the upgrade, so that the response can contain the reason */
export function openFeedSocket(
  feed: TreeFeed,
  upgrade: UpgradeToFeed,
  asked: { readonly cursor: number; readonly dialect: StudioDialect },
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const answer = feed.canSubscribe(asked.cursor);
  if (answer === 'forgotten')
    throw new RefusedRequest(410, 'BadRequest', 'Too much has changed since that cursor. Read the tree again.');
  if (answer === 'full')
    throw new RefusedRequest(503, 'InternalError', 'Too many Studios are connected to this bridge.');
  upgrade(request, socket, head, opened => void feed.subscribe(opened, asked.cursor, asked.dialect));
}
