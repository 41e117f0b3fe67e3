import type { StudioKey, StudioKeyring, StudioKeys } from '../../src/ports/studio-keys.ts';

/** The key of the Studios of a test. */
export const testKey: StudioKey = { id: '0123456789abcdef', secret: '5a'.repeat(32) };

/** A key of a plugin on another computer, whose port is forwarded. */
export const pairedKey: StudioKey = { id: 'fedcba9876543210', secret: 'a5'.repeat(32) };

/** Keys in memory, which begin with `testKey` and `pairedKey`. */
export function memoryStudioKeys(): StudioKeys {
  let keyring: StudioKeyring = { machine: 'abcdefabcdefabcd', installed: testKey, paired: [pairedKey] };
  let rotations = 0;
  return {
    read: async () => keyring,
    async addPaired(key) {
      keyring = { ...keyring, paired: [...keyring.paired, key].slice(-32) };
    },
    async rotate() {
      rotations += 1;
      const id = String(rotations).padStart(16, '0');
      return (keyring = { ...keyring, installed: { id, secret: id.repeat(4) }, paired: [] });
    },
  };
}
