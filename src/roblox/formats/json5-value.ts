import type { Result } from '../../base/result.ts';
import type { PausableWork } from '../../base/time-slice.ts';
import { MAX_DEPTH } from '../../protocol/limits.ts';
import { type JsonProblem, runParser } from './json5-document.ts';
import type { JsonBuilder, ReadContainer } from './json5-parser.ts';

/** The plain value of a text. `warnings`: see `JsonDocument`. */
export interface JsonValue {
  /** As `exactJsonValue` returns it: with every digit, and the last of several members with one key. */
  readonly value: unknown;
  readonly warnings: readonly JsonProblem[];
}

/**
 * Reads the same texts as `parseJsonDocument`, without positions, in a fraction of the time and memory: `JSON.parse` reads all parts that are
 * strict JSON and small enough for one step.
 */
export const parseJsonValuePausable = (text: string): PausableWork<Result<JsonValue, JsonProblem>> =>
  runParser(text, new ValueBuilder(text));

/** UTF-16 units, and those outside of strings, of an object or array that is read in one step of about a millisecond. */
const MAX_STEP = { length: 256 * 1024, structure: 32 * 1024 } as const;

const [QUOTE, BACKSLASH, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 91, 93, 123, 125] as const;

class ValueBuilder implements JsonBuilder<unknown> {
  readonly #text: string;
  #isStrict = true;

  constructor(text: string) {
    this.#text = text;
  }

  text(value: string): unknown {
    return value;
  }

  number(value: number, whole: bigint | undefined): unknown {
    return whole ?? value;
  }

  word(value: boolean | null): unknown {
    return value;
  }

  array(elements: readonly unknown[]): unknown {
    return elements;
  }

  object(members: readonly { readonly key: string; readonly value: unknown }[]): unknown {
    return Object.fromEntries(members.map(({ key, value }) => [key, value]));
  }

  readWhole(start: number, depth: number): ReadContainer<unknown> | undefined {
    const extent = this.#isStrict ? extentOf(this.#text, start) : undefined;
    if (extent === undefined) return undefined;
    let value: unknown;
    try {
      value = JSON.parse(this.#text.slice(start, extent.end));
    } catch {
      // Comments, bare keys or a mistake: usually all of the text has them.
      this.#isStrict = false;
      return undefined;
    }
    const counts = { strings: 0, values: 0 };
    const isExact = countExact(value, depth, counts) && counts.strings === extent.strings;
    return isExact ? { value, end: extent.end, count: counts.values } : undefined;
  }
}

/** Where the object or array at `start` ends, if it is strict JSON, and the number of its strings, keys included. */
function extentOf(text: string, start: number): { readonly end: number; readonly strings: number } | undefined {
  const limit = Math.min(text.length, start + MAX_STEP.length);
  let [open, strings] = [0, 0];
  let at = start;
  for (let step = 0; step < MAX_STEP.structure && at < limit; step += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      strings += 1;
      do at = text.indexOf('"', at + 1);
      while (at >= 0 && isEscaped(text, at));
      if (at < 0) return undefined;
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) open += 1;
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      open -= 1;
      if (open === 0) return { end: at + 1, strings };
    }
    at += 1;
  }
  return undefined;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

/**
 * Counts the values, and the strings with the keys. A lower count of strings than in the text means that `JSON.parse` dropped a member with
 * the key of another one.
 *
 * @returns false if the value is nested too deep, or has a number that may have lost digits
 */
function countExact(value: unknown, depth: number, counts: { strings: number; values: number }): boolean {
  counts.values += 1;
  if (typeof value === 'string') counts.strings += 1;
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth > MAX_DEPTH) return false;
  // Loops, because callbacks and lists of members would take longer than parsing.
  if (Array.isArray(value)) {
    for (const element of value as readonly unknown[]) if (!countExact(element, depth + 1, counts)) return false;
    return true;
  }
  for (const key of Object.keys(value)) {
    counts.strings += 1;
    if (!countExact((value as Readonly<Record<string, unknown>>)[key], depth + 1, counts)) return false;
  }
  return true;
}
