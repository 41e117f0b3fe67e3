/** Bytes that all channels together pass on in one turn, because unmasking 64 KB takes `ws` about 0.1 ms. */
const MAX_BYTES_PER_TURN = 1024 * 1024;

/**
 * Limits the bytes that many sockets pass on in one turn of the event loop. In one turn, the system delivers up to 2 MB of each socket whose
 * peer sends faster than it is read.
 */
export class TurnBytes {
  readonly #waiting: { readonly bytes: number; readonly work: () => unknown }[] = [];
  #used = 0;
  #isResetDue = false;

  /** Whether `bytes` more may be passed on in this turn. A chunk of any size may be the first one. */
  hasRoomFor(bytes: number): boolean {
    return this.#waiting.length === 0 && (this.#used === 0 || this.#used + bytes <= MAX_BYTES_PER_TURN);
  }

  /** Counts bytes that are passed on now. */
  use(bytes: number): void {
    this.#used += bytes;
    this.#scheduleReset();
  }

  /** Calls `work` in a later turn, after the work of earlier calls. */
  wait(bytes: number, work: () => unknown): void {
    this.#waiting.push({ bytes, work });
    this.#scheduleReset();
  }

  #scheduleReset(): void {
    if (this.#isResetDue) return;
    this.#isResetDue = true;
    setImmediate(() => {
      this.#isResetDue = false;
      this.#used = 0;
      for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
        if (this.#used > 0 && this.#used + next.bytes > MAX_BYTES_PER_TURN) break;
        this.#waiting.shift();
        this.use(next.bytes);
        next.work();
      }
      if (this.#waiting.length > 0) this.#scheduleReset();
    });
  }
}
