import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { PairingCrypto } from '../../ports/pairing-crypto.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export const nodePairingCrypto: PairingCrypto = {
  hmac: (secret, text) => createHmac('sha256', Buffer.from(secret, 'hex')).update(text).digest('hex'),
  // Digests, because `timingSafeEqual` requires equal lengths.
  isEqual: (left, right) => timingSafeEqual(digest(left), digest(right)),
};
