/** The cost of one generated game: milliseconds or bytes. */
export interface Sample {
  /** The number of instances, or of written files. */
  readonly size: number;
  readonly amount: number;
}

/** Samples on each side of a comparison. */
const MAX_SAMPLES = 10;
const MIN_SAMPLES = 2;

/**
 * How much more one instance or file takes in the largest games than in games of a quarter of their size: about 1 for linear growth, about
 * 4 for quadratic growth. The median of each side, so that one pause of the machine does not matter.
 *
 * @returns `undefined` for too few samples on one side, which prove nothing
 */
export function fasterThanLinear(samples: readonly Sample[]): number | undefined {
  const sorted = samples.toSorted((a, b) => a.size - b.size);
  const largest = sorted.at(-1)?.size ?? 0;
  const smaller = sorted.filter(({ size }) => size <= largest / 4).slice(-MAX_SAMPLES);
  const upper = sorted.filter(({ size }) => size > largest / 2).slice(-MAX_SAMPLES);
  if (smaller.length < MIN_SAMPLES || upper.length < MIN_SAMPLES) return undefined;
  return medianPerInstance(upper) / medianPerInstance(smaller);
}

function medianPerInstance(samples: readonly Sample[]): number {
  const rates = samples.map(({ size, amount }) => amount / Math.max(1, size)).toSorted((a, b) => a - b);
  return rates[Math.floor(rates.length / 2)] ?? 0;
}
