import {
  isSchema,
  type JsonSchema,
  memberSchema,
  type PlacedSchema,
  resolveSchemaReference,
  type SchemaAt,
  schemasOf,
} from './json-schema.ts';
import { skipTrivia } from './json5-parser.ts';

/** A key or value that fits at a position of a JSON5 text. */
export interface Completion {
  readonly label: string;
  readonly kind: 'key' | 'value';
  /** The text to insert, in JSON5. */
  readonly text: string;
  /** The range of the text that it replaces. */
  readonly start: number;
  readonly end: number;
}

/**
 * Completes keys and values at an offset of a JSON5 text that may be incomplete. Own code: `vscode-json-languageservice` scans the text as
 * JSON, so it does not complete keys without quotes or in single quotes.
 */
export function completeJson5(
  text: string,
  offset: number,
  schema: JsonSchema,
  schemaAt: SchemaAt,
): readonly Completion[] {
  const place = placeAt(text, offset);
  if (place === undefined) return [];
  let found = expand({ schema, document: schema }, schemaAt);
  for (const step of place.path)
    found = found.flatMap(each => stepInto(each, step)).flatMap(each => expand(each, schemaAt));
  const { start, kind } = place;
  const labels = kind === 'key' ? found.flatMap(keysOf).filter(key => !place.taken.has(key)) : found.flatMap(valuesOf);
  const end = Math.max(offset, place.end);
  return Array.from(new Set(labels), label => ({ label, kind, text: quotedIfNeeded(label, kind), start, end }));
}

interface Place {
  readonly kind: 'key' | 'value';
  /** Keys, and `undefined` for the elements of an array. */
  readonly path: readonly (string | undefined)[];
  /** Keys that the object already has. */
  readonly taken: ReadonlySet<string>;
  /** The range of the typed word or string, or the position. */
  readonly start: number;
  readonly end: number;
}

interface OpenContainer {
  readonly isObject: boolean;
  readonly keys: Set<string>;
  key: string | undefined;
  isValueNext: boolean;
}

const WORD = /"(?:[^"\\\r\n]|\\.)*"?|'(?:[^'\\\r\n]|\\.)*'?|[^\s{}[\]:,"'/]+|\/(?![/*])/y;

/** `undefined` in a comment, or where neither a key nor a value is possible. */
function placeAt(text: string, offset: number): Place | undefined {
  const open: OpenContainer[] = [];
  for (let at = 0; ;) {
    const next = skipTrivia(text, at);
    const top = open.at(-1);
    if (next >= offset)
      return isComment(text.slice(at, offset)) ? undefined : placeIn(open, { start: offset, end: offset });
    const char = text[next] ?? '';
    WORD.lastIndex = next;
    const word = WORD.exec(text)?.[0];
    if (word !== undefined) {
      const end = next + word.length;
      if (end >= offset) return placeIn(open, { start: next, end });
      if (top?.isObject && !top.isValueNext) {
        top.key = plain(word);
        top.keys.add(top.key);
      }
      at = end;
      continue;
    }
    at = next + 1;
    if (char === '{' || char === '[')
      open.push({ isObject: char === '{', keys: new Set(), key: undefined, isValueNext: char === '[' });
    else if (char === '}' || char === ']') open.pop();
    else if (char === ':' && top) top.isValueNext = true;
    else if (char === ',' && top) top.isValueNext = !top.isObject;
  }
}

function placeIn(
  open: readonly OpenContainer[],
  range: { readonly start: number; readonly end: number },
): Place | undefined {
  const top = open.at(-1);
  if (top === undefined) return undefined;
  const outer = open.slice(0, -1).map(({ isObject, key }) => (isObject ? key : undefined));
  if (top.isObject && !top.isValueNext) return { kind: 'key', path: outer, taken: top.keys, ...range };
  return { kind: 'value', path: [...outer, top.isObject ? top.key : undefined], taken: new Set(), ...range };
}

const isComment = (trivia: string): boolean =>
  /\/\/[^\r\n]*$/.test(trivia) || (trivia.includes('/*') && !/\*\/\s*$/.test(trivia));
const plain = (word: string): string => (/^["']/.test(word) ? word.slice(1).replace(/["']$/, '') : word);
const quotedIfNeeded = (label: string, kind: Completion['kind']): string =>
  (kind === 'key' && /^[A-Za-z_$][\w$]*$/.test(label)) || (kind === 'value' && /^(?:true|false)$/.test(label))
    ? label
    : JSON.stringify(label);

/** The schemas that `$ref` and the keywords for alternatives refer to. */
function expand(at: PlacedSchema, schemaAt: SchemaAt, depth = 0): readonly PlacedSchema[] {
  if (depth > 8) return [];
  const { anyOf, oneOf, allOf } = at.schema;
  const alternatives = [anyOf, oneOf, allOf].flatMap(schemasOf);
  const inside = alternatives.flatMap(schema => expand({ ...at, schema }, schemaAt, depth + 1));
  if (at.schema['$ref'] === undefined) return [at, ...inside];
  const target = resolveSchemaReference(at, schemaAt);
  return target ? [...expand(target, schemaAt, depth + 1), ...inside] : inside;
}

function stepInto(at: PlacedSchema, step: string | undefined): readonly PlacedSchema[] {
  const { items } = at.schema;
  if (step === undefined) return isSchema(items) ? [{ ...at, schema: items }] : [];
  const next = memberSchema(at, step);
  return next ? [next] : [];
}

const keysOf = ({ schema: { properties } }: PlacedSchema): readonly string[] =>
  isSchema(properties) ? Object.keys(properties) : [];

function valuesOf({ schema: { enum: items, type } }: PlacedSchema): readonly string[] {
  if (Array.isArray(items)) return items.filter(item => typeof item === 'string');
  return type === 'boolean' ? ['true', 'false'] : [];
}
