import type { PausableWork } from '../time-slice.ts';
import { DecodeBudget, type DecodeLimits } from './decode-budget.ts';
import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-bytes.ts';

/** Bytes that are not JSON in UTF-8. `offset` counts bytes. */
export class JsonSyntaxError extends Error {
  readonly offset: number;

  constructor(expected: string, offset: number) {
    super(`expected ${expected} at byte ${offset}`);
    this.name = 'JsonSyntaxError';
    this.offset = offset;
  }
}

/** Bytes that `JSON.parse` gets in one call; it takes half a millisecond for them. */
const BATCH_BYTES = 32 * 1024;

/** V8 moves all members of an object when it grows, in one step: 20 ms for 100,000 members, and 4 ms for those of a map. */
const MAX_OBJECT_MEMBERS = 8_192;

/**
 * Parses UTF-8 JSON with pauses, to the value that `JSON.parse` returns. Containers that are larger than a batch are put together from
 * batches of their items; `JSON.parse` reads the rest.
 *
 * @param hasMaps returns objects with more than 8,192 members as maps
 * @throws JsonSyntaxError
 * @throws DecodeBudgetError before the values are created
 */
export function* parseJsonPausable(bytes: Uint8Array, limits: DecodeLimits, hasMaps = false): PausableWork<unknown> {
  return yield* new PacedJson(bytes, limits, hasMaps).document();
}

/** An open container. Items before `batchStart` are in `target`, the others are still bytes. */
interface OpenContainer {
  readonly kind: 'list' | 'object';
  readonly start: number;
  /** `undefined` while the whole container is still bytes. */
  target: unknown[] | Record<string, unknown> | Map<string, unknown> | undefined;
  batchStart: number;
  /** Number of items before the last comma. */
  itemCount: number;
  /** The text before `batchStart`: the opening bracket, a comma, or an item that was added whole. */
  before: 'open' | 'comma' | 'item';
  /** The last key: its quotes, and the colon after it. */
  key: { readonly start: number; readonly end: number; readonly colon: number } | undefined;
}

class PacedJson {
  readonly #bytes: Uint8Array;
  readonly #budget: DecodeBudget;
  readonly #hasMaps: boolean;
  /** The document is read as the only item of a list, which has no brackets. */
  readonly #root: OpenContainer = openContainer('list', -1);
  readonly #open: OpenContainer[] = [this.#root];
  #at = 0;

  constructor(bytes: Uint8Array, limits: DecodeLimits, hasMaps: boolean) {
    this.#bytes = bytes;
    this.#hasMaps = hasMaps;
    this.#budget = new DecodeBudget(limits, bytes.length);
  }

  *document(): PausableWork<unknown> {
    const bytes = this.#bytes;
    let pauseAt = BATCH_BYTES;
    let lastToken = 0;
    let lastString = { start: 0, end: 0 };
    this.#budget.take();
    for (; this.#at < bytes.length; this.#at++) {
      const at = this.#at;
      if (at >= pauseAt) {
        pauseAt = at + BATCH_BYTES;
        yield;
      }
      switch (bytes[at]) {
        case QUOTE:
          lastString = yield* this.#string(at);
          break;
        case OPEN_LIST:
        case OPEN_OBJECT:
          this.#budget.enter();
          this.#budget.take();
          this.#open.push(openContainer(bytes[at] === OPEN_LIST ? 'list' : 'object', at));
          break;
        case CLOSE_LIST:
        case CLOSE_OBJECT:
          this.#close(at, bytes[at] === CLOSE_LIST ? 'list' : 'object');
          break;
        case COMMA:
          this.#budget.take();
          this.#comma(at);
          break;
        case COLON:
          this.#top().key = { ...lastString, colon: at };
          break;
        default:
          // Longer than any number and any reasonable white space.
          if (at - lastToken > BATCH_BYTES) throw new JsonSyntaxError('the next value', lastToken);
          continue;
      }
      lastToken = this.#at;
    }
    return this.#finish();
  }

  #top(): OpenContainer {
    return this.#open.at(-1) ?? this.#root;
  }

  #comma(at: number): void {
    const top = this.#top();
    top.itemCount += 1;
    if (top.kind === 'object') this.#budget.expectMembers(top.itemCount + 1);
    if (top.before === 'item') this.#expectBlank(top.batchStart, at);
    else if (at - top.batchStart > BATCH_BYTES) this.#flush(top, at);
    else return;
    top.batchStart = at + 1;
    top.before = 'comma';
  }

  #close(at: number, kind: OpenContainer['kind']): void {
    const top = this.#open.length > 1 ? this.#open.pop() : undefined;
    if (top?.kind !== kind) throw new JsonSyntaxError('another bracket', at);
    this.#budget.leave();
    // A small container stays in the batch of its parent.
    if (top.target === undefined && at - top.start <= BATCH_BYTES) return;
    this.#complete(top, at);
    this.#add(top.start, top.target, at + 1);
  }

  #finish(): unknown {
    const end = this.#bytes.length;
    if (this.#open.length > 1) throw new JsonSyntaxError('a closing bracket', end);
    this.#complete(this.#root, end);
    const items = this.#root.target;
    if (!Array.isArray(items) || items.length !== 1) throw new JsonSyntaxError('one value', end);
    return items[0];
  }

  /** Adds the items that are still bytes. */
  #complete(container: OpenContainer, end: number): void {
    const { before, batchStart } = container;
    if (before === 'comma' || (before === 'open' && !this.#isBlank(batchStart, end))) this.#flush(container, end);
    else this.#expectBlank(batchStart, end);
    container.target ??= container.kind === 'list' ? [] : {};
  }

  /** Adds a value that was not read by `JSON.parse` to the innermost container. `start`, `end`: its bytes. */
  #add(start: number, value: unknown, end: number): void {
    const top = this.#top();
    let itemStart = start;
    if (top.before === 'item') throw new JsonSyntaxError('a comma', start);
    if (top.kind === 'object') {
      const { key } = top;
      if (key === undefined || key.start < top.batchStart) throw new JsonSyntaxError('a key', start);
      this.#expectBlank(key.end, key.colon);
      this.#expectBlank(key.colon + 1, start);
      itemStart = key.start;
    }
    if (!this.#isBlank(top.batchStart, itemStart)) {
      let comma = itemStart - 1;
      while (isSpace(this.#bytes[comma])) comma -= 1;
      if (this.#bytes[comma] !== COMMA) throw new JsonSyntaxError('a comma', comma);
      this.#flush(top, comma);
    }
    if (top.kind === 'list') appendItems((top.target ??= []), [value]);
    else {
      const name = top.key === undefined ? '' : this.#parse('', top.key.start, top.key.end, '');
      setMember((top.target ??= {}), String(name), value);
    }
    top.batchStart = end;
    top.before = 'item';
  }

  /** Reads the items up to `end`, of which there is at least one. */
  #flush(container: OpenContainer, end: number): void {
    if (this.#isBlank(container.batchStart, end)) throw new JsonSyntaxError('a value', end);
    if (container.kind === 'list')
      appendItems((container.target ??= []), this.#parse('[', container.batchStart, end, ']') as unknown[]);
    else {
      const target = (container.target ??= {});
      const items = this.#parse('{', container.batchStart, end, '}') as Record<string, unknown>;
      for (const name of Object.keys(items)) setMember(target, name, items[name]);
      if (this.#hasMaps && container.itemCount > MAX_OBJECT_MEMBERS && !(target instanceof Map))
        container.target = new Map(Object.entries(target));
    }
  }

  /** Skips a string that starts at `start`. A long one is added as a value. */
  *#string(start: number): PausableWork<{ readonly start: number; readonly end: number }> {
    const bytes = this.#bytes;
    let at = start + 1;
    let pauseAt = at + BATCH_BYTES;
    for (; bytes[at] !== QUOTE; at++) {
      if (at >= bytes.length) throw new JsonSyntaxError('the end of the string', start);
      if (bytes[at] === BACKSLASH) at += 1;
      if (at < pauseAt) continue;
      this.#budget.expectText(at - start);
      pauseAt = at + BATCH_BYTES;
      yield;
    }
    this.#at = at;
    if (at - start > BATCH_BYTES) this.#add(start, yield* this.#longString(start + 1, at), at + 1);
    return { start, end: at + 1 };
  }

  *#longString(start: number, end: number): PausableWork<string> {
    // Concatenating copies nothing; joining a list of pieces would copy all of them in one step.
    let text = '';
    for (let from = start; from < end; yield) {
      const to = this.#pieceEnd(from, end);
      text += String(this.#parse('"', from, to, '"'));
      from = to;
    }
    return text;
  }

  /** The end of a piece that cuts neither a character nor an escape sequence. */
  #pieceEnd(from: number, end: number): number {
    const bytes = this.#bytes;
    let to = from + BATCH_BYTES;
    if (to >= end) return end;
    while (to > from && ((bytes[to] ?? 0) & 0xc0) === 0x80) to -= 1;
    // An escape has at most six bytes, and a backslash that follows another one starts none.
    for (let back = to - 1; back >= to - 6 && back > from; back--) {
      if (bytes[back] !== BACKSLASH) continue;
      let first = back;
      while (first > from && bytes[first - 1] === BACKSLASH) first -= 1;
      if ((back - first) % 2 === 0) return back === from ? end : back;
      break;
    }
    return to > from ? to : end;
  }

  #parse(before: string, start: number, end: number, after: string): unknown {
    try {
      return JSON.parse(before + utf8.decode(this.#bytes.subarray(start, end)) + after);
    } catch {
      throw new JsonSyntaxError('valid JSON in UTF-8', start);
    }
  }

  #isBlank(start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (!isSpace(this.#bytes[at])) return false;
    return true;
  }

  #expectBlank(start: number, end: number): void {
    if (!this.#isBlank(start, end)) throw new JsonSyntaxError('a comma or a closing bracket', start);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const openContainer = (kind: OpenContainer['kind'], start: number): OpenContainer => ({
  kind,
  start,
  target: undefined,
  batchStart: start + 1,
  itemCount: 0,
  before: 'open',
  key: undefined,
});

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

function appendItems(target: unknown, items: readonly unknown[]): void {
  if (Array.isArray(target)) for (const item of items) target.push(item);
}

/** Sets an own member, as `JSON.parse` does; an assignment to `__proto__` would change the prototype. */
function setMember(target: object, name: string, value: unknown): void {
  if (target instanceof Map) target.set(name, value);
  else if (name !== '__proto__') Reflect.set(target, name, value);
  else Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}
