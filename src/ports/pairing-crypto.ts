/** The cryptography of the Studio handshake. Secrets, authentication codes and public keys are lower-case hex digits. */
export interface PairingCrypto {
  /** HMAC-SHA-256 of `text` as UTF-8 under the bytes of `secret`; 64 digits. */
  hmac(secret: string, text: string): string;
  /** Compares two texts in constant time, so that the time does not reveal where they differ. */
  isEqual(left: string, right: string): boolean;
  /** Six random decimal digits. */
  newCode(): string;
  /** Starts an X25519 key exchange. */
  newExchange(): KeyExchange;
}

export interface KeyExchange {
  /** 64 digits. */
  readonly publicKey: string;
  /** The shared secret, 64 digits; `undefined` if `publicKey` of the peer is invalid or weak. */
  secretWith(publicKey: string): string | undefined;
}
