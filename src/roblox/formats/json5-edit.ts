import type { PausableWork } from '../../base/time-slice.ts';
import {
  exactJsonValue,
  type JsonDocument,
  type JsonNode,
  memberOf,
  parseJsonDocumentPausable,
} from './json5-document.ts';
import { cutItems, type EditedText, type JsonTextEdit, linesOf, newItems, withEdits } from './json5-layout.ts';
import { printJsonPausable, printKey, styleOf } from './json5-print.ts';

/** Names of members and indexes of elements, from the root. */
export type JsonPath = readonly (string | number)[];

/** Reverts one change. Changes are reverted in reverse order. */
export type Undo = () => void;

/** A change of something in an object or array: a new value, its removal, or changes inside of it. */
type Change = { readonly value: unknown } | 'removed' | Level;

/** An object or array of the document with changes. */
interface Level {
  readonly node: JsonNode;
  /** By name or index. The indexes of new elements follow those of the document. */
  readonly changes: Map<string | number, Change>;
  newElementCount: number;
}

/**
 * Changes of a JSON text. They are applied together, so that any number of changes takes the time of reading the text once. Paths are
 * those of the text as it was read: a removed element does not move the others.
 */
export class JsonChanges {
  readonly #document: JsonDocument;
  readonly #top: Level;

  constructor(document: JsonDocument) {
    this.#document = document;
    this.#top = levelOf(document.root);
  }

  /** The value at `path` after the changes, with `bigint` for whole numbers beyond 2^53; `undefined` if there is none. */
  get(path: JsonPath): unknown {
    const found = this.#find(path);
    if (found === undefined) return undefined;
    return 'value' in found ? found.value : valueOf(found.node, found.level);
  }

  /** The names of the members of the object at `path` after the changes; `undefined` if there is no object. */
  keys(path: JsonPath): readonly string[] | undefined {
    const found = this.#find(path);
    if (found === undefined) return undefined;
    if ('value' in found) return isObject(found.value) ? Object.keys(found.value) : undefined;
    if (found.node.kind !== 'object') return undefined;
    const keys = new Set<string | number>(found.node.members.map(({ key }) => key));
    for (const [key, change] of found.level?.changes ?? [])
      if (change === 'removed') keys.delete(key);
      else keys.add(key);
    return Array.from(keys, String);
  }

  /**
   * Sets the value at `path`, and creates missing objects; `undefined` removes the member or element, or all members with that name. The
   * value may be changed by later calls.
   *
   * @returns `undefined` if a step of the path is not an object or is a missing element; nothing is changed then
   */
  set(path: JsonPath, value: unknown): Undo | undefined {
    let level = this.#top;
    for (const [depth, step] of path.entries()) {
      const change = level.changes.get(step);
      const isLast = depth === path.length - 1;
      if (!isLast && isValue(change)) return setInValue(change.value, path.slice(depth + 1), value);
      const node = change === 'removed' ? undefined : childOf(level.node, step);
      if (node === undefined && !isValue(change)) {
        if (value === undefined) return noUndo;
        const made = nested(path.slice(depth + 1), value);
        return made && canHold(level.node, step) ? replaceIn(level.changes, step, made) : undefined;
      }
      if (isLast && value === undefined && node === undefined) return removeIn(level.changes, step);
      if (isLast) return replaceIn(level.changes, step, value === undefined ? 'removed' : { value });
      if (node === undefined) return undefined;
      level = levelIn(level, step, node);
    }
    return undefined;
  }

  /**
   * Adds an element to the end of the array at `path`, which is created if it is missing.
   *
   * @returns its index in paths; `undefined` if there is another value at `path`, or no object to create the array in
   */
  append(path: JsonPath, element: unknown): { readonly index: number; readonly undo: Undo } | undefined {
    const found = this.#find(path);
    if (found === undefined) {
      const undo = this.set(path, [element]);
      return undo && { index: 0, undo };
    }
    if ('value' in found) return appendToValue(found.value, element);
    if (found.node.kind !== 'array') return undefined;
    let level = this.#top;
    for (const step of path) {
      const node = childOf(level.node, step);
      if (node === undefined) return undefined;
      level = levelIn(level, step, node);
    }
    const index = found.node.elements.length + level.newElementCount;
    level.newElementCount += 1;
    const remove = replaceIn(level.changes, index, { value: element });
    const undo = (): void => {
      remove();
      level.newElementCount -= 1;
    };
    return { index, undo };
  }

  /** The text after the changes. Keeps comments, order, indentation and line ends of everything else. */
  *print(): PausableWork<string> {
    const { text } = this.#document;
    const lines = yield* linesOf(text);
    const withNew = withEdits(text, yield* newTexts({ text, style: styleOf(text), lines }, this.#top));
    const document = withNew === text ? this.#document : yield* parsed(withNew);
    return document === undefined ? withNew : withEdits(withNew, yield* cutsIn(withNew, document.root, this.#top));
  }

  #find(path: JsonPath): { readonly value: unknown } | { readonly node: JsonNode; readonly level?: Level } | undefined {
    let level: Level | undefined = this.#top;
    let node = this.#top.node;
    for (const [depth, step] of path.entries()) {
      const change: Change | undefined = level?.changes.get(step);
      if (change === 'removed') return undefined;
      if (isValue(change)) {
        const value = valueAt(change.value, path.slice(depth + 1));
        return value === undefined ? undefined : { value };
      }
      level = change;
      const next = childOf(node, step);
      if (next === undefined) return undefined;
      node = next;
    }
    return { node, ...(level && { level }) };
  }
}

function* parsed(text: string): PausableWork<JsonDocument | undefined> {
  const document = yield* parseJsonDocumentPausable(text);
  return document.ok ? document.value : undefined;
}

const isValue = (change: Change | undefined): change is { readonly value: unknown } =>
  typeof change === 'object' && 'value' in change;

const noUndo: Undo = () => undefined;

/** The value in new objects with the names of `path`; `undefined` if an element of a missing array is named. */
const nested = (path: JsonPath, value: unknown): { readonly value: unknown } | undefined =>
  path.some(step => typeof step === 'number')
    ? undefined
    : { value: path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) };

const canHold = ({ kind }: JsonNode, step: string | number): boolean => kind === 'object' && typeof step === 'string';

function replaceIn<K, V>(map: Map<K, V>, key: K, value: V): Undo {
  const before = map.get(key);
  map.set(key, value);
  return () => (before === undefined ? map.delete(key) : map.set(key, before));
}

function removeIn<K, V>(map: Map<K, V>, key: K): Undo {
  const before = map.get(key);
  map.delete(key);
  return () => void (before !== undefined && map.set(key, before));
}

const levelOf = (node: JsonNode): Level => ({ node, changes: new Map(), newElementCount: 0 });

function levelIn(above: Level, step: string | number, node: JsonNode): Level {
  const change = above.changes.get(step);
  if (typeof change === 'object' && !isValue(change)) return change;
  const level = levelOf(node);
  above.changes.set(step, level);
  return level;
}

function valueOf(node: JsonNode, level: Level | undefined): unknown {
  if (level === undefined || level.changes.size === 0) return exactJsonValue(node);
  const changed = (step: string | number, child: JsonNode | undefined): readonly unknown[] => {
    const change = level.changes.get(step);
    if (change === 'removed') return [];
    if (isValue(change)) return [change.value];
    return child === undefined ? [] : [valueOf(child, change)];
  };
  const added = Array.from(level.changes.keys()).filter(step => childOf(node, step) === undefined);
  if (node.kind === 'array')
    return [
      ...node.elements.flatMap((element, index) => changed(index, element)),
      ...added.flatMap(index => changed(index, undefined)),
    ];
  if (node.kind !== 'object') return exactJsonValue(node);
  const members = new Map(node.members.map(({ key, value }) => [key, value] as const));
  return Object.fromEntries([
    ...Array.from(members).flatMap(([key, child]) => changed(key, child).map(value => [key, value] as const)),
    ...added.flatMap(key => changed(key, undefined).map(value => [key, value] as const)),
  ]);
}

type Container = Record<string | number, unknown>;

// Values of JSON are plain objects and arrays, and both take steps of a path as keys.
const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;
const isObject = (value: unknown): value is object => isContainer(value) && !Array.isArray(value);

const memberIn = (value: unknown, step: string | number): unknown =>
  isContainer(value) && Array.isArray(value) === (typeof step === 'number') && Object.hasOwn(value, step)
    ? value[step]
    : undefined;

/** The value at `path` in a plain value. */
export const valueAt = (value: unknown, path: JsonPath): unknown => path.reduce(memberIn, value);

/**
 * Sets what is at `path` in a plain value, or removes it if `value` is `undefined`. Creates missing objects on the way.
 *
 * @returns `undefined` when the path leads through a value that is not an object, or an element would be removed; nothing is changed then
 */
export function setInValue(root: unknown, path: JsonPath, value: unknown): Undo | undefined {
  let holder = root;
  for (const [depth, step] of path.entries()) {
    const before = memberIn(holder, step);
    if (before === undefined && value === undefined) return noUndo;
    if (!isContainer(holder)) return undefined;
    if (before === undefined) {
      const made = nested(path.slice(depth + 1), value);
      const isHeld = !Array.isArray(holder) && typeof step === 'string';
      return made && isHeld ? replaceMember(holder, step, made.value) : undefined;
    }
    if (depth === path.length - 1)
      return value === undefined && Array.isArray(holder) ? undefined : replaceMember(holder, step, value);
    holder = before;
  }
  return undefined;
}

function replaceMember(holder: Container, step: string | number, value: unknown): Undo {
  const wasThere = Object.hasOwn(holder, step);
  const before = holder[step];
  if (value === undefined) Reflect.deleteProperty(holder, step);
  else defineMember(holder, step, value);
  return () => void (wasThere ? defineMember(holder, step, before) : Reflect.deleteProperty(holder, step));
}

/** An assignment to `__proto__` would change the prototype instead of the member. */
const defineMember = (holder: Container, step: string | number, value: unknown): unknown =>
  Object.defineProperty(holder, step, { value, writable: true, enumerable: true, configurable: true });

/** Adds an element to a plain value; `undefined` if it is not an array. */
export function appendToValue(
  value: unknown,
  element: unknown,
): { readonly index: number; readonly undo: Undo } | undefined {
  if (!Array.isArray(value)) return undefined;
  return { index: value.push(element) - 1, undo: () => void value.pop() };
}

/** The offset of the value at a path, or of the name of that member; that of the nearest value above if there is none. */
export function offsetAt(root: JsonNode, path: JsonPath, isOfName: boolean): number {
  const [above, last] = [path.slice(0, -1), path.at(-1)];
  const parent = nodeAt(root, above);
  if (isOfName && typeof last === 'string') return memberOf(parent, last)?.keyStart ?? root.start;
  return (nodeAt(root, path) ?? parent ?? root).start;
}

function nodeAt(root: JsonNode, path: JsonPath): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const step of path) node = node === undefined ? undefined : childOf(node, step);
  return node;
}

const childOf = (node: JsonNode, step: string | number): JsonNode | undefined =>
  typeof step === 'string' ? memberOf(node, step)?.value : node.kind === 'array' ? node.elements[step] : undefined;

/** The edits for new values of an object or array, and of what is in it. */
function* newTexts(source: EditedText, { node, changes }: Level): PausableWork<JsonTextEdit[]> {
  const edits: JsonTextEdit[] = [];
  const added: [string, unknown][] = [];
  for (const [step, change] of changes) {
    if (change === 'removed') continue;
    yield;
    const child = childOf(node, step);
    if (!isValue(change)) for (const edit of yield* newTexts(source, change)) edits.push(edit);
    else if (child === undefined)
      added.push([typeof step === 'string' ? `${printKey(step, source.style)}: ` : '', change.value]);
    else if (!isSameJson(exactJsonValue(child), change.value)) {
      const text = yield* printJsonPausable(change.value, source.style, source.lines.indentAt(child.start));
      edits.push({ from: child.start, to: child.end, text });
    }
  }
  if (added.length > 0) for (const edit of yield* newItems(source, node, added)) edits.push(edit);
  return edits;
}

/** The cuts for what is removed from an object or array, and from what is in it. */
function* cutsIn(text: string, node: JsonNode, { changes }: Level): PausableWork<JsonTextEdit[]> {
  const cuts: JsonTextEdit[] = [];
  const removed = new Set<string | number>();
  for (const [step, change] of changes) {
    if (change === 'removed') removed.add(step);
    else if (!isValue(change)) {
      const child = childOf(node, step);
      if (child !== undefined) for (const cut of yield* cutsIn(text, child, change)) cuts.push(cut);
    }
    yield;
  }
  if (removed.size > 0) for (const cut of yield* cutItems(text, node, removed)) cuts.push(cut);
  return cuts;
}

const isSameJson = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => isSameJson(item, b[i]))
    );
  const entries = Object.entries(a);
  const other = new Map<string, unknown>(Object.entries(b));
  return (
    entries.length === other.size && entries.every(([key, item]) => other.has(key) && isSameJson(item, other.get(key)))
  );
};
