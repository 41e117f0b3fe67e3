/** The cryptography of the Studio handshake. Secrets, codes of authentication and public keys are lower-case hex digits. */
export interface PairingCrypto {
  /** HMAC-SHA-256 of `text` as UTF-8 under the bytes of `secret`; 64 digits. */
  hmac(secret: string, text: string): string;
  /** Compares two texts in a time that does not depend on where they differ. */
  isEqual(left: string, right: string): boolean;
}
