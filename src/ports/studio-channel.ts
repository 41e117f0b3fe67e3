import type { Event } from '../base/emitter.ts';

/** The text of a frame; of a large frame its UTF-8 in pieces, because decoding it takes more than one slice. */
export type ChannelFrame = string | readonly Uint8Array[];

/** An open connection to a Studio that carries text frames, independent of their meaning. */
export interface StudioChannel {
  /** Sends one text frame. Drops it if the channel is closed; `onClosed` has then fired or will fire. */
  send(text: string): void;
  readonly onMessage: Event<ChannelFrame>;
  /** Fires for each part of a large frame that arrives. */
  readonly onPart?: Event<void>;
  /** Fires once; `reason` is for the log. */
  readonly onClosed: Event<{ readonly reason: string }>;
  /** Duration of the last round trip in milliseconds; `undefined` until it is known. */
  latencyMs?(): number | undefined;
  /** Stops reading from the peer until `resume`, so that it cannot send more than is processed. Frames that have arrived still fire. */
  pause?(): void;
  resume?(): void;
  /**
   * Accepts messages up to `MAX_FRAME_BYTES` from now on. Before, the channel closes when the peer has sent more than `MAX_UNPROVED_BYTES` in
   * all.
   */
  liftLimit(): void;
  close(reason: string): void;
}
