import type { ProjectPath } from '../../base/brand.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import { resolveAttribute, resolveProperty } from '../../roblox/instances/resolve.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import { exactJsonValue, type JsonDocument, type JsonMember, positionIn } from '../../roblox/formats/json5-document.ts';
import { reportProblem, type SnapshotPass } from './pass.ts';

/** Properties and attributes of one JSON object, resolved against a class. */
export interface ReadValues {
  readonly values: ReadonlyMap<string, Variant>;
  readonly unreadable: ReadonlySet<string>;
  /** Canonical names to the keys of the file. */
  readonly keys: ReadonlyMap<string, string>;
}

/** Properties or attributes of one instance, as exact JSON values by the keys of the file. */
export interface GivenValues {
  readonly keys: readonly string[];
  readonly values: readonly unknown[];
}

/** Maximum number of properties, and of attributes, of one instance: they are read in one step. */
const MAX_MEMBERS = 5_000;

/** Resolves the properties and attributes in members of a document. Reports and skips invalid values. */
export function readMembers(
  pass: SnapshotPass,
  file: ProjectPath,
  document: JsonDocument,
  className: string,
  properties: readonly JsonMember[],
  attributes: readonly JsonMember[],
): ReadValues {
  const given = (members: readonly JsonMember[]): GivenValues => ({
    keys: members.map(({ key }) => key),
    values: members.map(({ value }) => exactJsonValue(value)),
  });
  const members = { properties, attributes };
  return readValues(pass.reflection, className, given(properties), given(attributes), ({ of, index, expected }) => {
    const offset = members[of][index]?.value.start ?? 0;
    reportProblem(pass, file, { ...positionIn(document, offset), expected });
  });
}

/** A property or an attribute with an invalid value; `expected` completes the sentence "expected …". */
export interface ValueProblem {
  readonly of: 'properties' | 'attributes';
  readonly index: number;
  readonly expected: string;
}

const none: ReadonlySet<string> = new Set();

/**
 * Resolves properties and attributes. Reports and skips invalid values. Attributes, unless empty, replace an `Attributes` property.
 */
export function readValues(
  reflection: Reflection,
  className: string,
  properties: GivenValues,
  attributes: GivenValues,
  report: (problem: ValueProblem) => void,
): ReadValues {
  const values = new Map<string, Variant>();
  const unreadable: string[] = [];
  const keys = new Map<string, string>();
  const reportTooMany = (of: ValueProblem['of'], { length }: readonly string[]): void => {
    if (length <= MAX_MEMBERS) return;
    report({
      of,
      index: MAX_MEMBERS,
      expected: `at most ${MAX_MEMBERS} ${of} of one instance; the others are ignored`,
    });
  };
  reportTooMany('properties', properties.keys);
  reportTooMany('attributes', attributes.keys);
  let index = -1;
  // Not `entries()`, which would create a pair for each of a million properties.
  for (const key of properties.keys) {
    index += 1;
    if (index === MAX_MEMBERS) break;
    const resolved = resolveProperty(reflection, className, key, properties.values[index]);
    const name = resolved.ok ? resolved.value.name : (reflection.property(className, key)?.canonicalName ?? key);
    keys.set(name, key);
    if (resolved.ok) values.set(name, resolved.value.value);
    else {
      report({ of: 'properties', index, expected: resolved.error });
      unreadable.push(name);
    }
  }
  if (attributes.keys.length > 0) {
    const read = readAttributes(attributes, report);
    if (read === undefined) unreadable.push('Attributes');
    else if (!unreadable.includes('Attributes')) values.set('Attributes', { type: 'Attributes', value: read });
  }
  return { values, unreadable: unreadable.length === 0 ? none : new Set(unreadable), keys };
}

/** `undefined` if any of them is invalid. */
function readAttributes(
  given: GivenValues,
  report: (problem: ValueProblem) => void,
): ReadonlyMap<string, Variant> | undefined {
  const read = new Map<string, Variant>();
  let isWhole = given.keys.length <= MAX_MEMBERS;
  for (const [index, key] of given.keys.slice(0, MAX_MEMBERS).entries()) {
    const resolved = resolveAttribute(given.values[index]);
    if (resolved.ok) read.set(key, resolved.value);
    else {
      report({ of: 'attributes', index, expected: `the attribute "${key}" to be ${resolved.error}` });
      isWhole = false;
    }
  }
  return isWhole ? read : undefined;
}
