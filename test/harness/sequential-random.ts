import type { Random } from '../../src/ports/random.ts';

/** Sequential ids, so that a test can predict them. */
export function sequentialRandom(): Random {
  let count = 0;
  const hex = (): string => (count += 1).toString(16).padStart(32, '0');
  return {
    ref: hex,
    uuid: () => hex().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  };
}
