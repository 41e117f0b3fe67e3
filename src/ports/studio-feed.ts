import type { Event } from '../base/emitter.ts';
import type { SocketPacket } from '../protocol/studio/messages.ts';

/** One open connection on which patches of the tree go out. */
export interface StudioFeed {
  /** Resolves when the packet has left this process, or is known to be applied, or when the feed is closed. Never rejects. */
  send(packet: SocketPacket): Promise<void>;
  /** Fires once; `reason` is for the log. */
  readonly onClosed: Event<{ readonly reason: string }>;
  close(reason: string): void;
}
