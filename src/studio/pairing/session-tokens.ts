import type { PairingCrypto } from '../../ports/pairing-crypto.ts';

/** The tokens of paired Studios for HTTP requests. Each is valid while its command stream is open. */
export class SessionTokens {
  readonly #crypto: Pick<PairingCrypto, 'isEqual'>;
  /** Each token with the connections that end with it. */
  readonly #tokens = new Map<string, Set<() => void>>();

  constructor(crypto: Pick<PairingCrypto, 'isEqual'>) {
    this.#crypto = crypto;
  }

  /** Adds a token until it is disposed. */
  add(token: string): Disposable {
    const ends = new Set<() => void>();
    this.#tokens.set(token, ends);
    return {
      [Symbol.dispose]: () => {
        this.#tokens.delete(token);
        for (const end of Array.from(ends)) end();
      },
    };
  }

  has(token: string): boolean {
    // Compares with every token, so that the time does not depend on which one is equal.
    return Array.from(this.#tokens.keys()).filter(one => this.#crypto.isEqual(one, token)).length > 0;
  }

  /** Calls `end` when the valid token ends, unless this is disposed before. */
  whenEnded(token: string, end: () => void): Disposable {
    const ends = this.#tokens.get(token);
    ends?.add(end);
    return { [Symbol.dispose]: () => void ends?.delete(end) };
  }
}
