import type { Event } from '../base/emitter.ts';

/** An open connection to a Studio that carries text frames, independent of their meaning. */
export interface StudioChannel {
  /** Sends one text frame. Drops it if the channel is closed; `onClosed` has then fired or will fire. */
  send(text: string): void;
  readonly onMessage: Event<string>;
  /** Fires once; `reason` is for the log. */
  readonly onClosed: Event<{ readonly reason: string }>;
  /** Duration of the last round trip in milliseconds; `undefined` until it is known. */
  latencyMs?(): number | undefined;
  close(reason: string): void;
}
