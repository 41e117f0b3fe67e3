/** The effects of random functions on strings, collections, objects and errors, computed in plain JavaScript. */

import { wrap } from './int-operations.ts';

/** The variables of a function. Strings are ASCII. */
export class State {
  n = 3n;
  s = 'start';
  readonly words = ['ab', 'c'];
  readonly counts = new Map<string, bigint>([['ab', 1n]]);
  readonly numbers = new Map<bigint, bigint>([[1n, 2n]]);
  readonly seen = new Set<bigint>([1n]);
  balance = 10n;
  calls = 0n;
  readonly loops: bigint[] = [];

  /** The output of the function at its end. */
  output(): string {
    const counted = KEYS.map(key => `${this.counts.has(key)} ${this.counts.get(key) ?? -1n}`);
    const set = SMALL.map(one => String(this.seen.has(one)));
    const { n, s, words, counts, numbers, seen, balance, calls } = this;
    const sum = Array.from(numbers.values()).reduce((all, value) => wrap(all + value), 0n);
    const table = `${numbers.size} ${sum} ${(numbers.get(1n) ?? 0n) / 3n}`;
    return [n, s, words.join('|'), counts.size, ...counted, table, seen.size, ...set, `${balance} ${calls}`].join('\n');
  }
}

export const KEYS = ['', 'ab', 'c', 'start'] as const;
export const SMALL = Array.from({ length: 8 }, (_, index) => BigInt(index));
/** Masks ints to a few keys on both sides of 2^53. */
export const INT_KEYS = 2n ** 53n + 3n;

/** The function `later`, which gives its argument: at once, or from a task for which it waits. */
export const LATER = {
  atOnce: 'fn later(n: int) int { return n }',
  fromTask: `
fn same(n: int) int { return n }
fn later(n: int) int {
    let task = spawn same(n)
    return task.get()
}`,
};

/** Declarations that all functions use. */
export const DECLARATIONS = `
error Overdrawn { missing: int }
trait Sized {
    fn size(self, scale: int) int
    fn twice(self, scale: int) int { return self.size(scale) + self.size(scale + 1) }
}
class Square impl Sized {
    side: int
    fn size(self, scale: int) int { return self.side * self.side * scale }
}
class Label impl Sized {
    text: string
    fn size(self, scale: int) int { return self.text.len() + scale }
    fn twice(self, scale: int) int { return scale - self.text.len() }
}
class Cells<V> {
    all: Map<int, V>
    fn put(mut self, key: int, value: V) { self.all[key] = value }
    fn has(self, key: int) bool { return self.all.contains(key) }
}
class Account {
    balance: int
    calls: int
    invariant self.balance >= 0
    fn spread(mut self, amount: int) int {
        for i in 0..(amount & 3) { self.balance += i }
        self.calls++
        return self.calls
    }
    fn deposit(mut self, amount: int) { self.balance = self.balance + amount }
    fn withdraw(mut self, amount: int) int {
        self.calls++
        if amount > self.balance { raise Overdrawn { missing: amount - self.balance } }
        self.balance -= amount
        return self.balance
    }
}
enum Answer {
    Exact { value: int }
    Named { text: string, by: int }
    Nothing
}
fn answer(x: int) Answer {
    if x < 0 { return Answer.Nothing }
    if x % 2 == 0 { return Answer.Exact { value: x } }
    return Answer.Named { text: f"is {x}", by: x + 1 }
}
fn described(x: int) int {
    match answer(x) {
        Answer.Exact { value } { return value + 1 }
        Answer.Named { text, by } { return text.len() + by }
        Answer.Nothing { return -1 }
    }
}
fn half(x: int) int? {
    if x % 2 != 0 { return none }
    return x / 2
}
fn quarter(x: int) int? {
    let once = half(x)?
    return half(once)
}
fn apply<T>(f: fn(T) T, x: T) T { return f(x) }
fn strict(account: Account, x: int) int {
    let mut own = account
    let left = own.withdraw(x & 31)!
    return left + x
}
fn int_at(all: Map<int, int>, key: int) int {
    if all.contains(key) { return all[key] }
    return -1
}
fn value_at<T>(all: Map<int, T>, key: int, otherwise: T) T {
    if all.contains(key) { return all[key] }
    return otherwise
}
fn put_at<T>(all: Map<int, T>, key: int, value: T) { all[key] = value }
fn first_of<T>(items: [T], otherwise: T) T {
    for item in items { return item }
    return otherwise
}`;

export const described = (x: bigint): bigint =>
  x < 0n ? -1n : x % 2n === 0n ? wrap(x + 1n) : wrap(BigInt(`is ${x}`.length) + wrap(x + 1n));
export const size = (index: bigint, scale: bigint): bigint => (index === 0n ? wrap(9n * scale) : wrap(3n + scale));
export const twice = (index: bigint, scale: bigint): bigint =>
  index === 0n ? wrap(size(0n, scale) + size(0n, wrap(scale + 1n))) : wrap(scale - 3n);
export const isQuartered = (x: bigint): boolean => x % 2n === 0n && (x / 2n) % 2n === 0n;

class Overdrawn extends Error {
  readonly missing: bigint;
  constructor(missing: bigint) {
    super();
    this.missing = missing;
  }
}
function withdraw(state: State, amount: bigint): bigint {
  state.calls += 1n;
  if (amount > state.balance) throw new Overdrawn(amount - state.balance);
  return (state.balance -= amount);
}
function caught(act: () => bigint, otherwise: (error: Overdrawn) => bigint): bigint {
  try {
    return act();
  } catch (error) {
    if (error instanceof Overdrawn) return otherwise(error);
    throw error;
  }
}

export const withdrawn = (state: State, amount: bigint): bigint =>
  caught(
    () => withdraw(state, amount & 31n),
    ({ missing }) => -missing,
  );
export function spread(state: State, amount: bigint): bigint {
  const last = amount & 3n;
  state.balance += (last * (last - 1n)) / 2n;
  return (state.calls += 1n);
}
export const strict = (state: State, amount: bigint): bigint =>
  caught(
    () => wrap(withdraw(state, amount & 31n) + amount),
    () => -2n,
  );
