import type { PausableWork } from '../../../../base/time-slice.ts';

/** Node of the call graph: a function, a method, all methods of one name, all function values of one arity, a task, or all streams. */
export type BlockKey = string;

export const functionKey = (serial: number): BlockKey => `function ${serial}`;
export const methodKey = (name: string): BlockKey => `method ${name}`;
/** One method of a class. It blocks like all methods of its name, unless code calls it directly. */
export const ownMethodKey = (serial: number, name: string): BlockKey => `method ${serial} ${name}`;
export const closureKey = (arity: number): BlockKey => `closure ${arity}`;
export const STREAMS: BlockKey = 'streams';
/** Loops over values that may be receivers. They block in programs with channels. */
export const CHANNELS: BlockKey = 'channels';
/** The `$$check` methods of all classes. */
export const CHECKS: BlockKey = 'checks';

/**
 * Blocks if all methods of a name, or all function values of an arity, take and return wide ints: some code calls one of them, or makes one,
 * without knowing which of its values are ints. All others take and return compact ints.
 */
export const wideMethodKey = (name: string): BlockKey => `wide method ${name}`;
export const wideOwnMethodKey = (serial: number, name: string): BlockKey => `wide method ${serial} ${name}`;
export const wideClosureKey = (arity: number): BlockKey => `wide closure ${arity}`;

// Private-use characters never occur in emitted text: its strings are bytes.
const OPEN = '\uE000';
const PLAIN = '\uE001';
const CLOSE = '\uE002';
const CHOICE = new RegExp(`${OPEN}([^${PLAIN}]*)\uE003([^${PLAIN}]*)${PLAIN}([^${CLOSE}]*)${CLOSE}`, 'g');

/** A placeholder for one of two texts, chosen after lowering by whether `key` blocks. Choices cannot be nested. */
export const choice = (key: BlockKey, blocking: string, plain: string): string =>
  `${OPEN}${key}\uE003${blocking}${PLAIN}${plain}${CLOSE}`;

/** A call of `key`, with `yield*` if it blocks. */
export const called = (key: BlockKey, call: string): string =>
  `${choice(key, '(yield* ', '')}${call}${choice(key, ')', '')}`;

/** Computes which functions may block, as a fixed point over the call graph. */
export class BlockingTable {
  readonly #callers = new Map<BlockKey, Set<BlockKey>>();
  readonly #blocking = new Set<BlockKey>();

  call(from: BlockKey, to: BlockKey): void {
    const callers = this.#callers.get(to);
    if (callers === undefined) this.#callers.set(to, new Set([from]));
    else callers.add(from);
  }

  /** Marks a key that blocks directly. */
  block(key: BlockKey): void {
    this.#blocking.add(key);
  }

  /** Replaces every choice in the texts. */
  *settle(texts: readonly string[]): PausableWork<readonly string[]> {
    const waiting = Array.from(this.#blocking);
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop())
      for (const caller of this.#callers.get(key) ?? []) {
        if (this.#blocking.has(caller)) continue;
        this.#blocking.add(caller);
        waiting.push(caller);
      }
    const settled: string[] = [];
    for (const text of texts) {
      settled.push(
        text.replaceAll(CHOICE, (_whole, key: string, blocking: string, plain: string) =>
          this.#blocking.has(key) ? blocking : plain,
        ),
      );
      yield;
    }
    return settled;
  }
}
