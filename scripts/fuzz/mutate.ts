/** A seeded source of random numbers (mulberry32), so that a run can be repeated. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 to `count` - 1. */
  below(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(1, count);
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.below(items.length)] ?? items[0];
  }
}

/** Largest input: mutations that duplicate must not grow without end. */
const MAX_BYTES = 64 * 1024;

const numbers = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff] as const;

/** Changes some bytes: flips, numbers at the border of their type, removed, repeated and foreign pieces. */
export function mutateBytes(dice: Dice, input: Uint8Array, other: Uint8Array): Uint8Array {
  let bytes = Buffer.from(input);
  for (let times = 1 + dice.below(4); times > 0; times--) {
    const at = dice.below(bytes.length + 1);
    const length = 1 + dice.below(dice.pick([1, 4, 64]));
    switch (dice.below(6)) {
      case 0:
        if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << dice.below(8));
        break;
      case 1:
        if (at + 4 <= bytes.length) bytes.writeUInt32LE(dice.pick(numbers), at);
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
        break;
      case 4: {
        const from = dice.below(other.length);
        bytes = Buffer.concat([bytes.subarray(0, at), other.subarray(from, from + length), bytes.subarray(at)]);
        break;
      }
      default:
        if (dice.below(4) === 0) bytes = bytes.subarray(0, at);
        else if (at < bytes.length) bytes[at] = dice.below(256);
    }
  }
  return bytes.subarray(0, MAX_BYTES);
}

const words = [
  '', '0', '-1', '1e999', '9007199254740993', '0x', 'null', 'true', '[', ']', '{', '}', '(', ')', '<', '>', '"', "'", '\\', '\\u0000', ',',
  ':', ';', '#', '&', '*', '!', '|', '%', '@', '`', '\n', '\r', '\t', '\0', '\ufeff', '\ud800', '--', '//', '/*', '*/', '<![CDATA[', ']]>',
  '&#0;', '__proto__', 'constructor', '../', '..', '='.repeat(40), '['.repeat(200), '('.repeat(200), '{a:'.repeat(100), '- '.repeat(200),
] as const; // prettier-ignore

/** Replaces, repeats or moves one token of a text: a name, a number or a punctuation mark. */
export function mutateText(dice: Dice, input: string, other: string): string {
  const tokens = input.split(/(\w+|\s+|[^\w\s])/).filter(token => token !== '');
  const foreign = other.split(/(\w+|\s+|[^\w\s])/).filter(token => token !== '');
  for (let times = 1 + dice.below(3); times > 0; times--) {
    const at = dice.below(tokens.length);
    const token = dice.below(2) === 0 ? dice.pick(words) : (foreign[dice.below(foreign.length)] ?? '');
    switch (dice.below(4)) {
      case 0:
        tokens.splice(at, 1, token);
        break;
      case 1:
        tokens.splice(at, 0, token);
        break;
      case 2:
        tokens.splice(at, 1 + dice.below(3));
        break;
      default:
        tokens.splice(at, 0, ...tokens.slice(at, at + 1 + dice.below(8)));
    }
  }
  return tokens.join('').slice(0, MAX_BYTES);
}

const values: readonly [unknown, ...unknown[]] = [
  null, true, 0, -1, 1e308, 2 ** 53, 0.5, '', '0', 'Vector3', '__proto__', 'x'.repeat(300), [], {}, [[]], { type: 'x' }, [null], '\ud800',
]; // prettier-ignore

/** Changes one value of a tree of lists and maps: replaces, removes, repeats or renames it. */
export function mutateValue(dice: Dice, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || dice.below(6) === 0)
    return dice.pick(values);
  if (Array.isArray(value)) {
    const items = [...(value as unknown[])];
    const at = dice.below(items.length);
    const change = dice.below(8);
    if (change === 0) items.splice(at, 1);
    else if (change === 1) items.splice(at, 0, items[at]);
    else items[at] = mutateValue(dice, items[at]);
    return items;
  }
  const entries = Object.entries(value);
  const at = dice.below(entries.length);
  const [name = '', inner] = entries[at] ?? [];
  const change = dice.below(8);
  if (change === 0) entries.splice(at, 1);
  else if (change === 1) entries.push([`${name}2`, inner]);
  else entries[at] = [name, mutateValue(dice, inner)];
  return Object.fromEntries(entries);
}
