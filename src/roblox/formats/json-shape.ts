import { type JsonDocument, type JsonMember, type JsonNode, type JsonProblem, positionAt } from './json5-document.ts';

/** A parsed text with an unexpected shape. `expected` completes the sentence "expected …". */
export class ShapeError extends Error {
  readonly offset: number;
  readonly expected: string;

  constructor(offset: number, expected: string) {
    super(`expected ${expected}`);
    this.offset = offset;
    this.expected = expected;
  }

  in(text: string): JsonProblem {
    return { ...positionAt(text, this.offset), expected: this.expected };
  }
}

type NodeOf<K extends JsonNode['kind']> = JsonNode & { readonly kind: K };

export const objectOf = (node: JsonNode, what: string): NodeOf<'object'> =>
  ofKind(node, 'object', `${what} to be an object`);
export const elementsOf = (node: JsonNode, what: string): readonly JsonNode[] =>
  ofKind(node, 'array', `${what} to be an array`).elements;
export const textOf = (node: JsonNode, what: string): string => ofKind(node, 'string', `${what} to be a string`).value;
export const flagOf = (node: JsonNode, what: string): boolean =>
  ofKind(node, 'boolean', `${what} to be true or false`).value;

/** A whole number from 0. Numbers beyond 2^53 lose digits, as they do in Studio. */
export function countOf(node: JsonNode, what: string): number {
  const { value } = ofKind(node, 'number', `${what} to be a whole number`);
  if (!Number.isInteger(value) || value < 0) throw new ShapeError(node.start, `${what} to be a whole number from 0`);
  return value;
}

export type Fields<K extends string> = { readonly [N in K]?: JsonNode };

/** The members of an object by name. `null` is treated as absent, and the last of several members with one name is used. */
export function fieldsOf<K extends string>(
  members: readonly JsonMember[],
  names: readonly K[],
): { readonly known: Fields<K>; readonly unknown: readonly JsonMember[] } {
  const known: { [N in K]?: JsonNode } = {};
  const unknown: JsonMember[] = [];
  for (const member of members) {
    const name = names.find(candidate => candidate === member.key);
    if (name === undefined) unknown.push(member);
    else if (member.value.kind !== 'null') known[name] = member.value;
  }
  return { known, unknown };
}

/** The members of an object that maps names to values, the last of each name; none for an absent node. */
export function membersOf(node: JsonNode | undefined, what: string): readonly JsonMember[] {
  if (node === undefined) return [];
  const { members } = objectOf(node, what);
  const last = new Map(members.map(member => [member.key, member]));
  return members.filter(member => last.get(member.key) === member);
}

/** Runs `read` over a document, and returns a problem with its position instead of throwing it. */
export function readShape<T>(document: JsonDocument, read: () => T): T | JsonProblem {
  try {
    return read();
  } catch (error) {
    return problemIn(document, error);
  }
}

function problemIn(document: JsonDocument, error: unknown): JsonProblem {
  if (error instanceof ShapeError) return error.in(document.text);
  throw error;
}

function ofKind<K extends JsonNode['kind']>(node: JsonNode, kind: K, expected: string): NodeOf<K> {
  if (node.kind !== kind) throw new ShapeError(node.start, expected);
  return node as NodeOf<K>;
}
