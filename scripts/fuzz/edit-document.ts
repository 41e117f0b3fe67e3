import { runToEnd } from '../../src/base/time-slice.ts';
import { isDeepStrictEqual } from 'node:util';
import {
  exactJsonValue,
  type JsonDocument,
  type JsonNode,
  parseJsonDocument,
} from '../../src/roblox/formats/json5-document.ts';
import { JsonChanges, type JsonPath } from '../../src/roblox/formats/json5-edit.ts';

/** Paths in a document are as many as its values, and each is edited four times. */
const MAX_PATHS = 3;

/** Edits a document in several places. @throws Error if an edit changes another value than the one it names */
export function editDocument(text: string): void {
  const parsed = parseJsonDocument(text);
  if (!parsed.ok) return;
  const document = parsed.value;
  const value = exactJsonValue(document.root);
  const all = pathsOf(document.root, []);
  for (let count = 0; count < MAX_PATHS && count < all.length; count++) {
    const { path, node } = all[Math.floor((count * all.length) / MAX_PATHS)] ?? { path: [], node: document.root };
    if (path.length > 0) {
      check(
        document,
        withChange(document, all => all.set(path, [1, { a: null }])),
        changed(value, path, () => [1, { a: null }]),
        path,
      );
      check(
        document,
        withChange(document, all => all.set(path, undefined)),
        changed(value, path, () => removed),
        path,
      );
    }
    if (node.kind === 'array')
      check(
        document,
        withChange(document, all => all.append(path, 'new')),
        changed(value, path, old => [...(old as unknown[]), 'new']),
        path,
      );
    if (node.kind === 'object' && !node.members.some(({ key }) => key === 'new'))
      check(
        document,
        withChange(document, all => all.set([...path, 'new'], 2)),
        changed(value, path, old => ({ ...(old as object), new: 2 })),
        path,
      );
  }
}

function withChange(document: JsonDocument, change: (changes: JsonChanges) => unknown): string {
  const changes = new JsonChanges(document);
  if (change(changes) === undefined) throw new Error(`no place for a change in ${JSON.stringify(document.text)}`);
  return runToEnd(changes.print());
}

interface Place {
  readonly path: JsonPath;
  readonly node: JsonNode;
}

/** Every value that a path names: the last of several members with one key. */
function pathsOf(node: JsonNode, path: JsonPath): Place[] {
  const own: Place = { path, node };
  if (node.kind === 'array') return [own, ...node.elements.flatMap((element, at) => pathsOf(element, [...path, at]))];
  if (node.kind !== 'object') return [own];
  const members = new Map(node.members.map(member => [member.key, member.value]));
  return [own, ...Array.from(members).flatMap(([key, member]) => pathsOf(member, [...path, key]))];
}

const removed = Symbol('removed');

/** The value after the edit of one place. */
function changed(value: unknown, path: JsonPath, edit: (old: unknown) => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return edit(value);
  if (Array.isArray(value))
    return value.flatMap((item: unknown, at) => (at === step ? keep(changed(item, rest, edit)) : [item]));
  const entries = Object.entries(value as object).flatMap(([key, item]) =>
    key === step ? keep(changed(item, rest, edit)).map(one => [key, one] as const) : [[key, item as unknown] as const],
  );
  return Object.fromEntries(entries);
}
const keep = (value: unknown): readonly unknown[] => (value === removed ? [] : [value]);

function check({ text }: JsonDocument, after: string, expected: unknown, path: JsonPath): void {
  const parsed = parseJsonDocument(after);
  const where = `${path.join('.')} of ${JSON.stringify(text)} became ${JSON.stringify(after)}`;
  if (!parsed.ok) throw new Error(`${where}: expected ${parsed.error.expected}`);
  if (!isDeepStrictEqual(exactJsonValue(parsed.value.root), expected)) throw new Error(where);
}
