import { isScriptClass } from '../../protocol/script-class.ts';
import { areTextsEqual } from '../../base/line-ends.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { PausableWork } from '../../base/time-slice.ts';
import { type Reason, reasonOf } from '../../protocol/reason.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import type { AddedInstance } from '../../protocol/studio/requests.ts';
import { WireVariant } from '../../protocol/values.ts';
import { propertiesEqual } from '../../roblox/instances/equality.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import { variantFromWire } from '../../roblox/values/variant-wire.ts';

/** Parsed values of one posted instance. `values` contains the values of `wire` and Source. */
export interface WrittenValues {
  readonly source: string | undefined;
  readonly wire: Record<string, WireVariant>;
  readonly values: ReadonlyMap<string, Variant>;
}

/** Parses posted properties; the error names the first invalid value. */
export function parseWrittenValues(
  className: string,
  properties: Record<string, unknown>,
): Result<WrittenValues, Reason> {
  const wire: Record<string, WireVariant> = {};
  const values = new Map<string, Variant>();
  let source: string | undefined;
  for (const [name, raw] of Object.entries(properties)) {
    // A Luau nil inside a value becomes an empty table, which JSON encodes as an empty array.
    const parsed = WireVariant.safeParse(Array.isArray(raw) && raw.length === 0 ? {} : raw);
    const value = parsed.success ? variantFromWire(parsed.data) : err('{"Type": value}');
    if (!parsed.success || !value.ok) {
      const expected = value.ok ? '' : value.error;
      return err(
        name === 'Source' ? reasonOf('own_source_not_utf8') : reasonOf('value_invalid', className, name, expected),
      );
    }
    if (name === 'Source' && isScriptClass(className) && value.value.type === 'String') source = value.value.value;
    else wire[name] = parsed.data;
    values.set(name, value.value);
  }
  return ok({ source, wire, values });
}

/**
 * Keeps only values that differ from the tree, or from the default of the class if the tree has no value: plugins post every property that
 * they can read.
 */
export function selectChanged(instance: Instance, written: WrittenValues, reflection: Reflection): WrittenValues {
  const { className, properties } = instance;
  const differs = (name: string, value: Variant): boolean => {
    const known = properties.get(name) ?? reflection.defaultOf(className, name);
    if (known === undefined) return true;
    return name === 'Source'
      ? !areTextsEqual(known.value, value.value)
      : !propertiesEqual(reflection, className, name, known, value);
  };
  const values = new Map(Array.from(written.values).filter(([name, value]) => differs(name, value)));
  const wire = Object.fromEntries(Object.entries(written.wire).filter(([name]) => values.has(name)));
  return { source: values.has('Source') ? written.source : undefined, wire, values };
}

/** Converts posted values to the form that pulls are planned from. */
export const toStudioInstance = (instance: Instance, written: WrittenValues): StudioInstance => ({
  id: instance.id,
  name: instance.name,
  className: instance.className,
  ...(written.source !== undefined && { source: written.source }),
  properties: written.wire,
  children: [],
});

/** Converts a posted subtree to the form that pulls are planned from, with a pause after each instance. */
export function* addedToStudioInstance(id: string, added: AddedInstance): PausableWork<Result<StudioInstance, Reason>> {
  const written = parseWrittenValues(added.className, added.properties);
  if (!written.ok) return written;
  const children: StudioInstance[] = [];
  for (const child of added.children) {
    const read = yield* addedToStudioInstance('', child);
    yield;
    if (!read.ok) return read;
    children.push(read.value);
  }
  // An empty script may have no Source.
  const source = written.value.source ?? (isScriptClass(added.className) ? '' : undefined);
  return ok({
    id,
    name: added.name,
    className: added.className,
    ...(source !== undefined && { source }),
    properties: written.value.wire,
    children,
  });
}

/** Properties in one message about those that a plugin did not send. */
export const MAX_OMITTED = 20;

/**
 * Lists the first properties that the Atlas plugin omits from an added instance, with pauses. The file gets their default values, which is logged.
 */
export function* omittedProperties(added: AddedInstance): PausableWork<readonly string[]> {
  const missing: string[] = [];
  const open = [added];
  for (let one = open.pop(); one !== undefined && missing.length < MAX_OMITTED; one = open.pop()) {
    const property = unsentByPlugin[one.className];
    if (property !== undefined && !(property in one.properties))
      missing.push(`${one.className}.${property} of ${one.name}`);
    for (const child of one.children.toReversed()) open.push(child);
    yield;
  }
  return missing;
}

const unsentByPlugin: Readonly<Record<string, string>> = {
  Script: 'RunContext',
  StringValue: 'Value',
  LocalizationTable: 'Contents',
};
