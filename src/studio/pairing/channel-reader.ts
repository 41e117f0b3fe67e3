import type { StudioChannel } from '../../ports/studio-channel.ts';

/** Reads messages of a channel one at a time, until another listener takes over. */
export class ChannelReader {
  readonly #unread: string[] = [];
  readonly #listening: readonly Disposable[];
  #waiter: ((text: string | undefined) => void) | undefined;
  #isClosed = false;

  constructor(channel: StudioChannel) {
    this.#listening = [
      channel.onMessage(frame => {
        // The messages of the handshake are small: a large frame is something else.
        const text = typeof frame === 'string' ? frame : '';
        if (this.#waiter === undefined) this.#unread.push(text);
        else this.#settle(text);
      }),
      channel.onClosed(() => {
        this.#isClosed = true;
        this.#settle(undefined);
      }),
    ];
  }

  /** Resolves with the next message, or `undefined` once the channel is closed. */
  next(): Promise<string | undefined> {
    const text = this.#unread.shift();
    if (text !== undefined || this.#isClosed) return Promise.resolve(text);
    return new Promise(resolve => (this.#waiter = resolve));
  }

  isClosed(): boolean {
    return this.#isClosed;
  }

  /** Stops reading. Returns the messages that arrived unread. */
  release(): readonly string[] {
    for (const one of this.#listening) one[Symbol.dispose]();
    return this.#unread.splice(0);
  }

  #settle(text: string | undefined): void {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    waiter?.(text);
  }
}
