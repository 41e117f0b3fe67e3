import type { PairingCrypto } from '../../ports/pairing-crypto.ts';

/** The tokens of paired Studios for HTTP requests. Each is valid while its command stream is open. */
export class SessionTokens {
  readonly #crypto: Pick<PairingCrypto, 'isEqual'>;
  readonly #tokens = new Set<string>();

  constructor(crypto: Pick<PairingCrypto, 'isEqual'>) {
    this.#crypto = crypto;
  }

  /** Adds a token until it is disposed. */
  add(token: string): Disposable {
    this.#tokens.add(token);
    return { [Symbol.dispose]: () => void this.#tokens.delete(token) };
  }

  has(token: string): boolean {
    // Compares with every token, so that the time does not depend on which one is equal.
    return Array.from(this.#tokens).filter(one => this.#crypto.isEqual(one, token)).length > 0;
  }
}
