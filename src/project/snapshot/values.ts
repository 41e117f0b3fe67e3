import type { ProjectPath } from '../../base/brand.ts';
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

/**
 * Resolves properties and attributes. Reports and skips invalid values. Attributes, unless empty, replace an `Attributes` property.
 */
export function readValues(
  pass: SnapshotPass,
  file: ProjectPath,
  document: JsonDocument,
  className: string,
  properties: readonly JsonMember[],
  attributes: readonly JsonMember[],
): ReadValues {
  const values = new Map<string, Variant>();
  const unreadable = new Set<string>();
  const keys = new Map<string, string>();
  const report = (member: JsonMember, expected: string): void =>
    reportProblem(pass, file, { ...positionIn(document, member.value.start), expected });
  for (const member of properties) {
    const resolved = resolveProperty(pass.reflection, className, member.key, exactJsonValue(member.value));
    const name = resolved.ok
      ? resolved.value.name
      : (pass.reflection.property(className, member.key)?.canonicalName ?? member.key);
    keys.set(name, member.key);
    if (resolved.ok) values.set(name, resolved.value.value);
    else {
      report(member, resolved.error);
      unreadable.add(name);
    }
  }
  if (attributes.length === 0) return { values, unreadable, keys };
  const read = new Map<string, Variant>();
  for (const member of attributes) {
    const resolved = resolveAttribute(exactJsonValue(member.value));
    if (resolved.ok) read.set(member.key, resolved.value);
    else {
      report(member, `the attribute "${member.key}" to be ${resolved.error}`);
      unreadable.add('Attributes');
    }
  }
  if (!unreadable.has('Attributes')) values.set('Attributes', { type: 'Attributes', value: read });
  return { values, unreadable, keys };
}
