import * as z from 'zod';
import { counted, plural } from '../base/plural.ts';
import { err, ok, type Result } from '../base/result.ts';
import { shortened } from '../base/safe-text.ts';

/** Maximum problems and names that an error lists; a few are enough to correct a mistake. */
const MAX_LISTED = 10;
/** Maximum characters of a problem, and of a name or value of the caller in it. */
const MAX_PROBLEM_LENGTH = 400;
const MAX_NAME_LENGTH = 60;

/**
 * Parses the arguments of a call. On failure, describes the first problems: the position, the allowed values and the received value.
 * Missing arguments are treated as an empty object. `null` for an optional argument is treated as missing, because some clients send every
 * name of the schema.
 */
export function parseArguments<In extends z.ZodObject>(
  schema: In,
  rawArguments: unknown,
): Result<z.output<In>, string> {
  const reserved = findReservedKey(rawArguments, []);
  if (reserved !== undefined) return err(`${where(reserved)}: unknown key __proto__`);
  const parsed = schema.safeParse(withoutNulls(schema, rawArguments ?? {}), { error: describe });
  if (parsed.success) return ok(parsed.data);
  const { issues } = parsed.error;
  const listed = issues
    .slice(0, MAX_LISTED)
    .map(({ path, message }) => shortened(`${where(path)}: ${message}`, MAX_PROBLEM_LENGTH));
  return err([...listed, ...andMore(issues.length)].join('; '));
}

/** The names that an error lists: the first ones, shortened, and the number of the others. */
export const listNames = (names: readonly string[]): string =>
  [...names.slice(0, MAX_LISTED).map(name => shortened(name, MAX_NAME_LENGTH)), ...andMore(names.length)].join(', ');

const andMore = (count: number): readonly string[] => (count > MAX_LISTED ? [`and ${count - MAX_LISTED} more`] : []);

function withoutNulls(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return withoutNulls(schema.unwrap(), value);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map(item => withoutNulls(schema.element, item));
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null || Array.isArray(value))
    return value;
  const shape: Readonly<Record<string, z.ZodType>> = schema.shape;
  const given = Object.entries(value).flatMap(([name, item]): [string, unknown][] => {
    const member = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (member === undefined) return [[name, item]];
    return item === null && member.safeParse(undefined).success ? [] : [[name, withoutNulls(member, item)]];
  });
  return Object.fromEntries(given);
}

/** Deeper than any argument of a tool. */
const MAX_DEPTH = 32;

/**
 * The path of the first object with a key `__proto__`, which JSON can carry. Zod drops that key silently, so that a caller would believe
 * a precondition under that name was checked.
 */
function findReservedKey(value: unknown, path: readonly PropertyKey[]): readonly PropertyKey[] | undefined {
  if (typeof value !== 'object' || value === null || path.length > MAX_DEPTH) return undefined;
  if (Object.hasOwn(value, '__proto__')) return path;
  for (const [key, item] of Object.entries(value)) {
    const found = findReservedKey(item, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function where(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'arguments';
  return path.reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : `${text}${text === '' ? '' : '.'}${listNames([String(key)])}`,
    '',
  );
}

/** Describes problems whose zod messages are too short without the schema; `undefined` keeps the message of zod. */
function describe(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_value':
      return `must be ${oneOf(issue.values.map(String))}${butIs(issue.input)}`;
    case 'invalid_type':
      return issue.input === undefined
        ? `is missing; must be ${kinds[issue.expected] ?? issue.expected}`
        : `must be ${kinds[issue.expected] ?? issue.expected}${butIs(issue.input)}`;
    case 'unrecognized_keys':
      return `unknown ${plural(issue.keys.length, 'key', 'keys')} ${listNames(issue.keys)}${issue.inst instanceof z.ZodObject ? `; allowed: ${Object.keys(issue.inst.shape).join(', ')}` : ''}`;
    case 'invalid_union':
      return `must be ${oneOf(alternatives(issue.errors))}${butIs(issue.input)}`;
    case 'too_small':
      return `must ${bound(issue.origin, 'at least', Number(issue.minimum))}${butIs(issue.input)}`;
    case 'too_big':
      return `must ${bound(issue.origin, 'at most', Number(issue.maximum))}${butIs(issue.input)}`;
    default:
      return undefined;
  }
}

function bound(origin: string, limit: string, value: number): string {
  if (origin === 'string') return `have ${limit} ${counted(value, 'character')}`;
  if (origin === 'array') return `have ${limit} ${value} ${plural(value, 'entry', 'entries')}`;
  return `be ${limit} ${value}`;
}

const kinds: Readonly<Record<string, string>> = {
  object: 'an object',
  record: 'an object',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

/** The expected kinds of a union, without duplicates. The errors of its options already have descriptions. */
function alternatives(errors: readonly (readonly z.core.$ZodIssue[])[]): readonly string[] {
  return [
    ...new Set(errors.flat().map(one => ('expected' in one ? (kinds[one.expected] ?? one.expected) : one.message))),
  ];
}

const oneOf = (options: readonly string[]): string =>
  options.length === 1 ? String(options[0]) : `one of: ${options.join(', ')}`;

function butIs(input: unknown): string {
  if (input === null) return ', but is null';
  if (typeof input === 'string') return `, but is ${JSON.stringify(shortened(input, MAX_NAME_LENGTH))}`;
  if (typeof input === 'number' || typeof input === 'boolean') return `, but is ${String(input)}`;
  return Array.isArray(input) ? ', but is a list' : `, but is ${kinds[typeof input] ?? typeof input}`;
}
