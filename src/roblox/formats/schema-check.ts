import {
  isSchema,
  type JsonSchema,
  memberSchema,
  type PlacedSchema,
  resolveSchemaReference,
  type SchemaAt,
  schemasOf,
} from './json-schema.ts';
import { type JsonMember, type JsonNode, memberOf, parseJsonDocument, positionAt } from './json5-document.ts';

/** A problem at a position of a text. `expected` completes the sentence "expected …". */
export interface SchemaFinding {
  /** Line and column count from 1, columns in UTF-16 units. */
  readonly line: number;
  readonly column: number;
  /** UTF-16 units, up to the end of the line at most. */
  readonly length: number;
  /** Invalid syntax is an error; a violation of the schema is a warning, as in VS Code for JSON. */
  readonly severity: 'error' | 'warning';
  readonly expected: string;
}

/** More findings than this are not useful, and each takes time to show. */
const MAX_FINDINGS = 100;

/**
 * Checks a JSON5 text against a schema. Own code: `vscode-json-languageservice` reads JSON with comments only, and its messages do not
 * describe alternatives. A text that cannot be parsed has one finding: where parsing ended.
 */
export function checkJson5(text: string, schema: JsonSchema, schemaAt: SchemaAt): readonly SchemaFinding[] {
  const parsed = parseJsonDocument(text);
  if (!parsed.ok) return [{ ...parsed.error, length: 1, severity: 'error' }];
  const { root, warnings } = parsed.value;
  const violations = check(root, { schema, document: schema }, schemaAt).slice(0, MAX_FINDINGS);
  const found = violations.map(({ start, end, expected }): SchemaFinding => {
    const firstLine = /^[^\r\n]*/.exec(text.slice(start, end))?.[0] ?? '';
    return {
      ...positionAt(text, start),
      length: Math.max(1, firstLine.length),
      severity: 'warning',
      expected: expected(),
    };
  });
  return [
    ...warnings.slice(0, MAX_FINDINGS).map(warning => ({ ...warning, length: 1, severity: 'warning' as const })),
    ...found,
  ];
}

interface Wrong {
  readonly start: number;
  readonly end: number;
  /** The description is created only for shown findings, because most are of alternatives that do not apply. */
  readonly expected: () => string;
  /** Whether the value itself has the wrong kind, and not something inside it. */
  readonly isKind?: boolean;
}

const at = ({ start, end }: { readonly start: number; readonly end: number }, expected: () => string): Wrong => ({
  start,
  end,
  expected,
});

function check(node: JsonNode, placed: PlacedSchema, schemaAt: SchemaAt): readonly Wrong[] {
  const target = resolveSchemaReference(placed, schemaAt);
  if (target) return check(node, target, schemaAt);
  const { schema } = placed;
  if (!isOfType(node, schema['type'])) return [{ ...at(node, () => formatText(placed, schemaAt)), isKind: true }];
  const { enum: names } = schema;
  if (Array.isArray(names) && !(node.kind === 'string' && names.includes(node.value)))
    return [{ ...at(node, () => formatText(placed, schemaAt)), isKind: node.kind !== 'string' }];
  return [
    ...inItself(node, schema),
    ...inElements(node, placed, schemaAt),
    ...inMembers(node, placed, schemaAt),
    ...inAlternatives(node, placed, schemaAt),
  ];
}

function isOfType(node: JsonNode, type: unknown): boolean {
  if (type === undefined) return true;
  if (Array.isArray(type)) return type.some(each => isOfType(node, each));
  return type === 'integer' ? node.kind === 'number' && Number.isInteger(node.value) : type === node.kind;
}

function inItself(node: JsonNode, { minimum, maximum, pattern }: JsonSchema): readonly Wrong[] {
  if (node.kind === 'string' && typeof pattern === 'string' && !new RegExp(pattern, 'u').test(node.value))
    return [at(node, () => `a string of the form ${pattern}`)];
  if (node.kind !== 'number') return [];
  const [least, most] = [Number(minimum ?? -Infinity), Number(maximum ?? Infinity)];
  if (node.value >= least && node.value <= most) return [];
  return [at(node, () => (maximum === undefined ? `at least ${least}` : `a number from ${least} to ${most}`))];
}

function inElements(node: JsonNode, { schema, document }: PlacedSchema, schemaAt: SchemaAt): readonly Wrong[] {
  if (node.kind !== 'array') return [];
  const { items, minItems = 0, maxItems = Infinity } = schema;
  const { length } = node.elements;
  if (length < Number(minItems) || length > Number(maxItems)) return [at(node, () => formatElementCount(schema))];
  return node.elements.flatMap((element, index) => {
    const item: unknown = Array.isArray(items) ? items[index] : items;
    return isSchema(item) ? check(element, { schema: item, document }, schemaAt) : [];
  });
}

function inMembers(node: JsonNode, placed: PlacedSchema, schemaAt: SchemaAt): readonly Wrong[] {
  if (node.kind !== 'object') return [];
  const { required, additionalProperties, minProperties = 0, maxProperties = Infinity } = placed.schema;
  const names = Array.isArray(required) ? required.filter(name => typeof name === 'string') : [];
  const missing = names.filter(name => !memberOf(node, name));
  // Of members with the same key, the last one is used.
  const members = new Map(node.members.map(member => [member.key, member]));
  const opening = { start: node.start, end: node.start + 1 };
  return [
    ...missing.map(name => at(opening, () => `a member ${JSON.stringify(name)} in this object`)),
    ...(members.size < Number(minProperties) || members.size > Number(maxProperties)
      ? [at(opening, () => 'an object of one member')]
      : []),
    ...Array.from(members.values()).flatMap(member => {
      const of = memberSchema(placed, member.key);
      if (of) return check(member.value, of, schemaAt);
      return additionalProperties === false ? [unknownKey(member, placed.schema)] : [];
    }),
  ];
}

function unknownKey({ key, keyStart, keyEnd }: JsonMember, { properties }: JsonSchema): Wrong {
  const known = (): string => formatNames(isSchema(properties) ? Object.keys(properties) : []);
  return at({ start: keyStart, end: keyEnd }, () => `${known()}, not ${JSON.stringify(key)}`);
}

function inAlternatives(node: JsonNode, placed: PlacedSchema, schemaAt: SchemaAt): readonly Wrong[] {
  const { anyOf, oneOf, allOf, not } = placed.schema;
  const of = (schema: JsonSchema): readonly Wrong[] => check(node, { ...placed, schema }, schemaAt);
  const all = schemasOf(allOf).flatMap(of);
  if (isSchema(not) && of(not).length === 0)
    return [...all, at(node, () => `no ${formatText({ ...placed, schema: not }, schemaAt)}`)];
  const some = schemasOf(anyOf ?? oneOf);
  if (some.length === 0) return all;
  const tried = some.map(of);
  const fits = tried.filter(wrong => wrong.length === 0).length;
  if (fits === 1 || (fits > 1 && anyOf !== undefined)) return all;
  const words = (): string => formatText({ ...placed, schema: { anyOf: some } }, schemaAt);
  if (fits > 1) return all.length > 0 ? all : [at(node, () => `only one of ${words()}`)];
  const [meant, ...others] = tried.filter(wrong => !wrong.some(({ isKind, start }) => isKind && start === node.start));
  const isSure = meant !== undefined && others.length === 0;
  return [...all, ...(isSure ? meant : [{ ...at(node, words), isKind: meant === undefined }])];
}

const typeWords: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

/** The description of a valid value: "a string", "one of "X", "Y"", "3 elements". */
function formatText(placed: PlacedSchema, schemaAt: SchemaAt): string {
  const { schema } = resolveSchemaReference(placed, schemaAt) ?? placed;
  const { type, enum: names, required } = schema;
  if (Array.isArray(names)) return formatNames(names.filter(name => typeof name === 'string'));
  if (type === 'array') return formatElementCount(schema);
  const types = [type].flat().flatMap(each => (typeof each === 'string' ? (typeWords[each] ?? []) : []));
  if (types.length > 0) return types.reduce((one, other) => `${one} or ${other}`);
  if (Array.isArray(required))
    return required.map(name => JSON.stringify(name)).reduce((one, other) => `${one} with ${other}`);
  const alternatives = schemasOf(schema['anyOf'] ?? schema['oneOf']).map(each =>
    formatText({ ...placed, schema: each }, schemaAt),
  );
  const [first, ...others] = new Set(alternatives);
  return first === undefined ? 'another value' : others.reduce((one, other) => `${one} or ${other}`, first);
}

function formatElementCount({ minItems, maxItems }: JsonSchema): string {
  return typeof minItems === 'number' && minItems === maxItems ? `an array of ${minItems}` : 'an array';
}

const MAX_NAMES = 12;

function formatNames(names: readonly string[]): string {
  const some = names
    .slice(0, MAX_NAMES)
    .map(name => JSON.stringify(name))
    .join(', ');
  const more = names.length - MAX_NAMES;
  if (names.length === 1) return some;
  return more > 0 ? `one of ${some} or ${more} more` : `one of ${some}`;
}
