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

class Body {
  x: number;
  y: number;
  z: number;
  vx: number;
  vy: number;
  vz: number;
  mass: number;

  constructor(i: number) {
    this.x = i * 1.5 + 0.1;
    this.y = i * 0.7 - 1;
    this.z = 0.3 * i;
    this.vx = 0.01 * i;
    this.vy = 0.02 - 0.003 * i;
    this.vz = 0.001 * i;
    this.mass = 1 / (i + 1);
  }
}

function advance(bodies: readonly Body[], dt: number): void {
  for (let i = 0; i < bodies.length; i += 1)
    for (let j = i + 1; j < bodies.length; j += 1) {
      const a = bodies[i];
      const b = bodies[j];
      if (a === undefined || b === undefined) continue;
      const dx = a.x - b.x;
      const dy = a.y - b.y;
      const dz = a.z - b.z;
      const square = dx * dx + dy * dy + dz * dz;
      const pull = dt / (square * Math.sqrt(square));
      a.vx -= dx * b.mass * pull;
      a.vy -= dy * b.mass * pull;
      a.vz -= dz * b.mass * pull;
      b.vx += dx * a.mass * pull;
      b.vy += dy * a.mass * pull;
      b.vz += dz * a.mass * pull;
    }
  for (const body of bodies) {
    body.x += dt * body.vx;
    body.y += dt * body.vy;
    body.z += dt * body.vz;
  }
}

function nbody(): string {
  const bodies = Array.from({ length: 5 }, (_, i) => new Body(i));
  for (let step = 0; step < 1_000_000; step += 1) advance(bodies, 0.001);
  return `${Math.trunc((bodies[0]?.x ?? 0) * 1_000_000)}\n${Math.trunc((bodies[4]?.vz ?? 0) * 1_000_000)}`;
}

interface Shape {
  area(scale: number): number;
}

class Square implements Shape {
  readonly side: number;
  constructor(side: number) {
    this.side = side;
  }
  area(scale: number): number {
    return this.side * this.side * scale;
  }
}

class Bar implements Shape {
  readonly width: number;
  readonly height: number;
  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
  }
  area(scale: number): number {
    return this.width * this.height + scale;
  }
}

class Dot implements Shape {
  readonly weight: number;
  constructor(weight: number) {
    this.weight = weight;
  }
  area(scale: number): number {
    return this.weight - scale;
  }
}

function dispatch(): number {
  const shapes: Shape[] = [];
  for (let i = 0; i < 1000; i += 1) shapes.push(i % 3 === 0 ? new Square(i) : i % 3 === 1 ? new Bar(i, 3) : new Dot(i));
  let sum = 0;
  for (let round = 0; round < 20_000; round += 1)
    for (let i = 0; i < 1000; i += 1) sum += shapes[i]?.area(round % 5) ?? 0;
  return sum;
}

class Steps {
  at = 0;
  next(by: number): number {
    this.at = (this.at + by) % 1_000_003;
    return this.at;
  }
}

function totalArea(shapes: readonly Shape[], scale: number): number {
  let sum = 0;
  for (const shape of shapes) sum += shape.area(scale);
  return sum;
}

function traits(): number {
  const shapes = Array.from({ length: 1000 }, (_, i) => new Square(i));
  let sum = 0;
  for (let round = 0; round < 5000; round += 1) sum += totalArea(shapes, round % 5);
  const counter = new Steps();
  for (let i = 0; i < 5_000_000; i += 1) sum += counter.next(3);
  return sum;
}

const twice = (f: (x: number) => number, x: number): number => f(f(x));

function sumOf(count: number, f: (sum: number, x: number) => number): number {
  let sum = 0;
  for (let i = 0; i < count; i += 1) sum = f(sum, i);
  return sum;
}

function closures(): string {
  const step = 3;
  const add = (x: number): number => x + step;
  let total = 0;
  for (let i = 0; i < 10_000_000; i += 1) total = (total + twice(add, i)) % 1_000_003;
  return `${total}\n${sumOf(10_000_000, (sum, x) => (sum + x * step) % 1_000_003)}`;
}

function strings(): string {
  const words: string[] = [];
  for (let i = 0; i < 300_000; i += 1) words.push(`word${i % 5000}-${i}`);
  let length = 0;
  let dashes = 0;
  let text = '';
  for (const word of words) {
    length += word.length;
    if (word.split('-')[0]?.endsWith('7') === true) dashes += word.indexOf('-');
    text += word.slice(0, 5).toUpperCase();
  }
  let letters = 0;
  for (let i = 0; i < text.length; i += 1) if (text[i] === 'R') letters += 1;
  return [length, dashes, text.length, letters, text.includes('D4WORD4')].join('\n');
}

function map(): string {
  const counts = new Map<number, number>();
  for (let i = 0; i < 1_000_000; i += 1) counts.set((i * 7919) % 1_000_003, i);
  let sum = 0;
  for (let i = 0; i < 1_000_000; i += 1) if (counts.has(i)) sum += counts.get(i) ?? 0;
  const names = new Map<string, number>();
  for (let i = 0; i < 200_000; i += 1) names.set(`key${i}`, i);
  let found = 0;
  for (let i = 0; i < 400_000; i += 1) if (names.has(`key${i}`)) found += 1;
  return `${counts.size}\n${sum}\n${found}`;
}

/** A channel of async functions: senders wait while it is full, and the receiver while it is empty. */
class Channel {
  readonly #values: number[] = [];
  readonly #senders: (() => void)[] = [];
  #head = 0;
  #nextSender = 0;
  #receiver: (() => void) | undefined;

  async send(value: number): Promise<void> {
    while (this.#values.length - this.#head >= 16) await new Promise<void>(go => this.#senders.push(go));
    this.#values.push(value);
    this.#receiver?.();
  }

  async receive(): Promise<number> {
    while (this.#head === this.#values.length) await new Promise<void>(go => (this.#receiver = go));
    const value = this.#values[this.#head] ?? 0;
    this.#head += 1;
    this.#senders[this.#nextSender]?.();
    this.#nextSender += 1;
    return value;
  }
}

async function tasks(): Promise<string> {
  const channel = new Channel();
  const work = async (i: number): Promise<number> => {
    await channel.send(i);
    return 1;
  };
  const all: Promise<number>[] = [];
  for (let i = 0; i < 100_000; i += 1) all.push(work(i));
  let sum = 0;
  for (let i = 0; i < 100_000; i += 1) sum += await channel.receive();
  let done = 0;
  for (const task of all) done += await task;
  return `${sum}\n${done}`;
}

export const byHand: Readonly<Record<string, () => string | Promise<string>>> = {
  fib: () => String(fib(35)),
  loops: () => String(loops()),
  sieve: () => String(sieve()),
  sort,
  matrix: () => String(matrix()),
  nbody,
  dispatch: () => String(dispatch()),
  traits: () => String(traits()),
  closures,
  strings,
  map,
  tasks,
};
