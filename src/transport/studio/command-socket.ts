import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { OpenStudioDirectory } from '../../studio/studio-directory.ts';
import type { StudioChannel } from '../../ports/studio-channel.ts';
import { encodeMsgpack } from '../../protocol/msgpack/encode.ts';
import { refuseUpgrade } from '../http/listener.ts';
import { errorBody, MSGPACK } from './reply.ts';

/** Makes a channel of an HTTP upgrade, and calls `onChannel` before it returns. */
export type UpgradeToChannel = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  onChannel: (channel: StudioChannel) => void,
) => void;

/** WebSocket `/api/mcp/stream`: one Studio too many is refused with 409 before its upgrade, so that it can say why. */
export function openCommandSocket(
  studios: OpenStudioDirectory,
  upgrade: UpgradeToChannel,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const full = studios.rejectionReason();
  if (full !== undefined) {
    const details = `This bridge takes no other Studio: ${full}. Disconnect one there first.`;
    return refuseUpgrade(socket, 409, MSGPACK, encodeMsgpack(errorBody('BadRequest', details)));
  }
  upgrade(request, socket, head, channel => studios.accept(channel));
}
