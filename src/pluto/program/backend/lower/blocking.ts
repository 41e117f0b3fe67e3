import type { PausableWork } from '../../../../base/time-slice.ts';

/** Something that calls and is called: a function, all methods of a name, all function values of an arity, a task, or all streams. */
export type BlockKey = string;

export const functionKey = (serial: number): BlockKey => `function ${serial}`;
export const methodKey = (name: string): BlockKey => `method ${name}`;
export const closureKey = (arity: number): BlockKey => `closure ${arity}`;
export const STREAMS: BlockKey = 'streams';
/** Loops over what may be a receiver: they block in programs that have channels. */
export const CHANNELS: BlockKey = 'channels';
/** `$check` of all classes. */
export const CHECKS: BlockKey = 'checks';

// No text of a program has these: its strings are emitted as bytes.
const OPEN = '\uE000';
const PLAIN = '\uE001';
const CLOSE = '\uE002';
const CHOICE = new RegExp(`${OPEN}([^${PLAIN}]*)\uE003([^${PLAIN}]*)${PLAIN}([^${CLOSE}]*)${CLOSE}`, 'g');

/** One of two texts, by whether what the key names blocks; that is known when everything is lowered. Neither may hold a choice. */
export const choice = (key: BlockKey, blocking: string, plain: string): string =>
  `${OPEN}${key}\uE003${blocking}${PLAIN}${plain}${CLOSE}`;

/** A call of what the key names. */
export const called = (key: BlockKey, call: string): string =>
  `${choice(key, '(yield* ', '')}${call}${choice(key, ')', '')}`;

/** Who may block, as a fixpoint over calls. */
export class BlockingTable {
  readonly #callers = new Map<BlockKey, Set<BlockKey>>();
  readonly #blocking = new Set<BlockKey>();

  call(from: BlockKey, to: BlockKey): void {
    const callers = this.#callers.get(to);
    if (callers === undefined) this.#callers.set(to, new Set([from]));
    else callers.add(from);
  }

  /** It blocks by itself. */
  block(key: BlockKey): void {
    this.#blocking.add(key);
  }

  /** The texts with every choice made. */
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
