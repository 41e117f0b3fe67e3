/** Limits of the decoder for one message or file. */
export interface DecodeLimits {
  readonly bytes: number;
  /** Nesting depth of containers. */
  readonly depth: number;
  /** Values of any kind, including containers. A few bytes of input can require a hundred bytes of memory. */
  readonly elements: number;
}

const units: { readonly [K in keyof DecodeLimits]: string } = {
  bytes: 'bytes',
  depth: 'levels of nesting',
  elements: 'values',
};

/** The input exceeds one of its limits. The message completes "expected …". */
export class DecodeBudgetError extends Error {
  readonly excess: keyof DecodeLimits;

  constructor(excess: keyof DecodeLimits, limits: DecodeLimits) {
    super(`at most ${limits[excess]} ${units[excess]}`);
    this.name = 'DecodeBudgetError';
    this.excess = excess;
  }
}

/** Counts the resources that one input requires. Decoders count before they allocate. */
export class DecodeBudget {
  readonly #limits: DecodeLimits;
  #depth = 0;
  #elements = 0;

  /** @throws DecodeBudgetError if the input itself is too large */
  constructor(limits: DecodeLimits, bytes: number) {
    this.#limits = limits;
    if (bytes > limits.bytes) throw new DecodeBudgetError('bytes', limits);
  }

  /** Number of open levels. */
  get depth(): number {
    return this.#depth;
  }

  /** @throws DecodeBudgetError */
  take(count = 1): void {
    this.#elements += count;
    if (this.#elements > this.#limits.elements) throw new DecodeBudgetError('elements', this.#limits);
  }

  /** Opens a level. @throws DecodeBudgetError */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > this.#limits.depth) throw new DecodeBudgetError('depth', this.#limits);
  }

  leave(): void {
    this.#depth -= 1;
  }
}
