import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { OpenStudioDirectory } from '../../studio/studio-directory.ts';
import type { StudioChannel } from '../../ports/studio-channel.ts';
import { encodeMsgpack } from '../../protocol/msgpack/encode.ts';
import { refuseUpgrade } from '../http/listener.ts';
import { errorBody, MSGPACK } from './reply.ts';

/** Upgrades an HTTP request to a channel and calls `onChannel` before it returns. */
export type UpgradeToChannel = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  onChannel: (channel: StudioChannel) => void,
) => void;

/** WebSocket `/api/mcp/stream`. Rejects a Studio beyond the limit with 409 before the upgrade, so that the response can contain the reason. */
export function openCommandSocket(
  studios: OpenStudioDirectory,
  upgrade: UpgradeToChannel,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const full = studios.rejectionReason();
  if (full !== undefined) {
    const details = `This bridge cannot accept another Studio: ${full}. Disconnect one of them first.`;
    return refuseUpgrade(socket, 409, MSGPACK, encodeMsgpack(errorBody('BadRequest', details)));
  }
  upgrade(request, socket, head, channel => studios.accept(channel));
}
