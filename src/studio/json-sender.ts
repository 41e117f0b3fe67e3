import { isSmallJson, jsonTextPausable } from '../base/json-chunks.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { runInSlices, TimeSlice } from '../base/time-slice.ts';
import type { Clock } from '../ports/clock.ts';
import type { StudioChannel } from '../ports/studio-channel.ts';

/** Sends values as JSON, in order. Serializes large ones in slices, because a tree or the decisions of a large sync would block the thread. */
export class JsonSender {
  readonly #channel: Pick<StudioChannel, 'send'>;
  readonly #clock: Clock;
  readonly #queue = new SerialQueue();
  readonly #never = new AbortController().signal;
  /** Messages that are not sent yet. */
  #waiting = 0;

  constructor(channel: Pick<StudioChannel, 'send'>, clock: Clock) {
    this.#channel = channel;
    this.#clock = clock;
  }

  /**
   * Resolves when the message is sent: a small one at once, unless others wait. The value must not change until then.
   *
   * @param onSent called in the turn in which the message is sent
   */
  send(value: object, onSent: () => void = () => {}): Promise<void> {
    const isNow = this.#waiting === 0 && isSmallJson(value);
    const sent = isNow ? this.#sendNow(value, onSent) : this.#sendInSlices(value, onSent);
    // Most callers do not wait, and the channel reports its failures.
    sent.catch(() => undefined);
    return sent;
  }

  async #sendNow(value: object, onSent: () => void): Promise<void> {
    this.#channel.send(JSON.stringify(value, nonFiniteAsString));
    onSent();
  }

  async #sendInSlices(value: object, onSent: () => void): Promise<void> {
    this.#waiting += 1;
    try {
      await this.#queue.run(this.#never, async () => {
        const text = await runInSlices(jsonTextPausable(value, nonFiniteAsString), new TimeSlice(this.#clock));
        this.#channel.send(text);
        onSent();
      });
    } finally {
      this.#waiting -= 1;
    }
  }
}

/** Writes infinities and NaN, which JSON lacks, as strings that the plugin parses. */
const nonFiniteAsString = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
