/** Monotonic time and timers. */
export interface Clock {
  /** Milliseconds since an arbitrary start; never decreases. */
  now(): number;
  /** The wall-clock time, ISO 8601 in UTC; for records that people read, never for measuring. */
  date(): string;
  /** Runs `fn` once after `ms`; the returned function cancels it and is safe to call twice. */
  after(ms: number, fn: () => void): () => void;
}
