import {
  createHash,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';
import type { KeyExchange, PairingCrypto } from '../../ports/pairing-crypto.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function newExchange(): KeyExchange {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return {
    publicKey: Buffer.from(x, 'base64url').toString('hex'),
    secretWith(peer) {
      try {
        const key = { kty: 'OKP', crv: 'X25519', x: Buffer.from(peer, 'hex').toString('base64url') };
        const publicKey = createPublicKey({ key, format: 'jwk' });
        return diffieHellman({ privateKey, publicKey }).toString('hex');
      } catch {
        // Not a key, or a weak one that makes the secret zero.
        return undefined;
      }
    },
  };
}

export const nodePairingCrypto: PairingCrypto = {
  hmac: (secret, text) => createHmac('sha256', Buffer.from(secret, 'hex')).update(text).digest('hex'),
  // Digests, because `timingSafeEqual` requires equal lengths.
  isEqual: (left, right) => timingSafeEqual(digest(left), digest(right)),
  newCode: () => String(randomInt(1_000_000)).padStart(6, '0'),
  newExchange,
};
