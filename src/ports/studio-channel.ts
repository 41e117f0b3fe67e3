import type { Event } from '../base/emitter.ts';

/** One open text-frame connection to a Studio. Knows nothing of what the frames mean. */
export interface StudioChannel {
  /** Sends one text frame; dropped when the channel is closed (`onClosed` has then fired or will). */
  send(text: string): void;
  readonly onMessage: Event<string>;
  /** Fires once; `reason` is for the log. */
  readonly onClosed: Event<{ readonly reason: string }>;
  /** Milliseconds that the last round trip took; `undefined` as long as that is not known. */
  latencyMs?(): number | undefined;
  close(reason: string): void;
}
