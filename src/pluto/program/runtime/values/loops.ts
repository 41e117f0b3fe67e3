import type { Blocking, Value } from '../../backend/contract.ts';
import { byteOf } from './byte.ts';
import { Bytes, List } from './collections.ts';
import { compactInts } from './compact-ints.ts';
import { Range } from './data.ts';

/** The result of `next` at the end. */
export const END: unique symbol = Symbol('end');

/** An element that a generator of the program yields. All other yielded values are waits. */
export class Element {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

/** `stream T`. A loop continues where the previous loop stopped. */
export class Stream {
  readonly #generator: Generator<unknown, void, unknown>;

  constructor(generator: Generator<unknown, void, unknown>) {
    this.#generator = generator;
  }

  /** The next element, or `END`. */
  *next(): Blocking {
    for (;;) {
      const { done, value } = this.#generator.next();
      if (done === true) return END;
      if (value instanceof Element) return value.value;
      yield value;
    }
  }

  /** Like `next`, for a stream that never blocks. */
  nextNow(): Value {
    const { done, value } = this.#generator.next();
    if (done === true) return END;
    if (value instanceof Element) return value.value;
    throw new TypeError('a stream that waits in a loop that does not');
  }
}

/** Iterates until `next` returns `END`. Without a `return` method, so that `break` does not close a stream. */
const iterate = (next: () => Value): IterableIterator<Value> => ({
  next() {
    const value = next();
    return value === END ? { done: true, value: undefined } : { done: false, value };
  },
  [Symbol.iterator]() {
    return this;
  },
});

/** Iterates over the indices from 0 to `length`. */
function counted(length: number, at: (index: number) => Value): IterableIterator<Value> {
  let index = -1;
  return iterate(() => {
    index += 1;
    return index < length ? at(index) : END;
  });
}

/** The elements of a `for` loop. The length of a list is read at the start, its elements during the loop. */
export function elementsOf(value: Value): IterableIterator<Value> {
  if (value instanceof List) {
    // A list that has shrunk fails with an index out of bounds.
    return counted(value.length, index => value.getAt(index));
  }
  if (value instanceof Range) {
    let at = value.from - 1n;
    return iterate(() => {
      at += 1n;
      return at < value.end ? compactInts.compact(at) : END;
    });
  }
  if (typeof value === 'string') return counted(value.length, index => value.charAt(index));
  if (value instanceof Bytes) return counted(value.items.length, index => byteOf(value.items[index] ?? 0));
  if (value instanceof Stream) return iterate(() => value.nextNow());
  throw new TypeError('a loop over something that has no elements');
}
