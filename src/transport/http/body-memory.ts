import { MAX_PENDING_BODY_BYTES } from '../../protocol/limits.ts';

/** The memory of one request body, from its first byte until it is decoded. */
export interface BodyReservation extends Disposable {
  /** Reserves `bytes` in total for this body. */
  resize(bytes: number): void;
}

/**
 * The memory that all request bodies may take together. If a body needs more than is left, the oldest of the others are dropped: a peer that
 * sends half of its bodies must not use up the memory of those that send them whole.
 */
export class BodyMemory {
  readonly #maxBytes: number;
  readonly #bodies = new Map<BodyReservation, { bytes: number; readonly drop: () => void }>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @param drop ends the request; it is called at most once */
  reserve(drop: () => void): BodyReservation {
    const body = { bytes: 0, drop };
    const reservation: BodyReservation = {
      resize: bytes => {
        this.#bytes += bytes - body.bytes;
        body.bytes = bytes;
        for (const [oldest, { drop: dropOldest }] of this.#bodies) {
          if (this.#bytes <= this.#maxBytes) return;
          if (oldest === reservation) continue;
          oldest[Symbol.dispose]();
          dropOldest();
        }
      },
      [Symbol.dispose]: () => {
        if (this.#bodies.delete(reservation)) this.#bytes -= body.bytes;
      },
    };
    this.#bodies.set(reservation, body);
    return reservation;
  }
}

/** All bodies of this process. */
export const bodyMemory = new BodyMemory(MAX_PENDING_BODY_BYTES);
