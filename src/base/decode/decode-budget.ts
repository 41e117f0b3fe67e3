/** Limits of the decoder for one message or file. */
export interface DecodeLimits {
  readonly bytes: number;
  /** Nesting depth of containers. */
  readonly depth: number;
  /** Values of any kind, including containers. A few bytes of input can require a hundred bytes of memory. */
  readonly elements: number;
  /** Members of one object, which grows in a single step; unlimited if absent. */
  readonly members?: number;
  /** Bytes of one text, which is read in a single step wherever it is used; unlimited if absent. */
  readonly text?: number;
}

const units: { readonly [K in keyof DecodeLimits]-?: string } = {
  bytes: 'bytes',
  depth: 'levels of nesting',
  elements: 'values',
  members: 'members in one object',
  text: 'bytes in one text',
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

  /** @throws DecodeBudgetError if one object must not have `count` members */
  expectMembers(count: number): void {
    if (count > (this.#limits.members ?? Number.POSITIVE_INFINITY))
      throw new DecodeBudgetError('members', this.#limits);
  }

  /** @throws DecodeBudgetError if one text must not have `bytes` bytes */
  expectText(bytes: number): void {
    if (bytes > (this.#limits.text ?? Number.POSITIVE_INFINITY)) throw new DecodeBudgetError('text', this.#limits);
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
