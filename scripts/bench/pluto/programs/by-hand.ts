/** The benchmark programs as a person writes them in JavaScript, where every number is a float. Each returns its output. */
const fib = (n: number): number => (n < 2 ? n : fib(n - 1) + fib(n - 2));

function loops(): number {
  let sum = 0;
  for (let i = 0; i < 50_000_000; i += 1) sum += (i % 7) * 3;
  return sum;
}

function sieve(): number {
  const n = 5_000_000;
  const marked: boolean[] = [];
  for (let i = 0; i <= n; i += 1) marked.push(false);
  let count = 0;
  for (let i = 2; i <= n; i += 1) {
    if (marked[i] === true) continue;
    count += 1;
    for (let j = i * i; j <= n; j += i) marked[j] = true;
  }
  return count;
}

function quickSort(items: number[], low: number, high: number): void {
  if (low >= high) return;
  const pivot = items[Math.trunc((low + high) / 2)] ?? 0;
  let i = low;
  let j = high;
  while (i <= j) {
    while ((items[i] ?? 0) < pivot) i += 1;
    while ((items[j] ?? 0) > pivot) j -= 1;
    if (i > j) break;
    const other = items[i] ?? 0;
    items[i] = items[j] ?? 0;
    items[j] = other;
    i += 1;
    j -= 1;
  }
  quickSort(items, low, j);
  quickSort(items, i, high);
}

function sort(): string {
  const items: number[] = [];
  let seed = 12_345;
  for (let i = 0; i < 1_000_000; i += 1) {
    // The product needs more than 53 bits.
    seed = ((Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) % 2_147_483_648;
    items.push(seed);
  }
  quickSort(items, 0, items.length - 1);
  return `${items[0]}\n${items[500_000]}`;
}

function matrix(): number {
  const n = 300;
  const make = (seed: number): number[] => Array.from({ length: n * n }, (_, i) => (i * seed) % 100);
  const [a, b] = [make(7), make(13)];
  let total = 0;
  for (let i = 0; i < n; i += 1)
    for (let j = 0; j < n; j += 1) {
      let sum = 0;
      for (let k = 0; k < n; k += 1) sum += (a[i * n + k] ?? 0) * (b[k * n + j] ?? 0);
      total += sum;
    }
  return total;
}

export const byHand: Readonly<Record<string, () => string>> = {
  fib: () => String(fib(35)),
  loops: () => String(loops()),
  sieve: () => String(sieve()),
  sort,
  matrix: () => String(matrix()),
};
