import { MAX_PENDING_MESSAGE_BYTES } from './limits.ts';

/** The memory of one message, from its first byte until it is decoded, or of all such messages of one connection. */
export interface MessageReservation extends Disposable {
  /** Reserves `bytes` in total. */
  resize(bytes: number): void;
}

/**
 * The memory that all messages may take together: request bodies, and messages of Studios. If one needs more than is left, the oldest of the
 * others are dropped: a peer that sends half of its messages must not use up the memory of those that send them whole.
 */
export class MessageMemory {
  readonly #maxBytes: number;
  /** In the order in which they began to need memory. */
  readonly #messages = new Map<MessageReservation, { bytes: number; readonly drop: () => void }>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Reserves nothing yet. @param drop ends the request or connection; it is called at most once */
  reserve(drop: () => void): MessageReservation {
    let isOpen = true;
    const message = { bytes: 0, drop };
    const release = (): void => {
      this.#messages.delete(reservation);
      this.#bytes -= message.bytes;
      message.bytes = 0;
    };
    const reservation: MessageReservation = {
      resize: bytes => {
        if (!isOpen) return;
        if (bytes === 0) return release();
        this.#messages.set(reservation, message);
        this.#bytes += bytes - message.bytes;
        message.bytes = bytes;
        for (const [oldest, { drop: dropOldest }] of this.#messages) {
          if (this.#bytes <= this.#maxBytes) return;
          if (oldest === reservation) continue;
          oldest[Symbol.dispose]();
          dropOldest();
        }
      },
      [Symbol.dispose]: () => {
        isOpen = false;
        release();
      },
    };
    return reservation;
  }
}

/** All messages of this process. */
export const messageMemory = new MessageMemory(MAX_PENDING_MESSAGE_BYTES);
