import { err, ok, type Result } from '../../base/result.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import type { AddedInstance } from '../../protocol/studio/requests.ts';
import { WireVariant } from '../../protocol/values.ts';
import { propertiesEqual } from '../../roblox/instances/equality.ts';
import { isScriptClass, type Instance } from '../../roblox/instances/instance.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import { variantFromWire } from '../../roblox/values/variant-wire.ts';

/** Values of one instance as a plugin posted them, read. `values` are the same as `wire`, with Source. */
export interface WrittenValues {
  readonly source: string | undefined;
  readonly wire: Record<string, WireVariant>;
  readonly values: ReadonlyMap<string, Variant>;
}

/** The error is a sentence about the first value that cannot be read. */
export function readValues(className: string, properties: Record<string, unknown>): Result<WrittenValues, string> {
  const wire: Record<string, WireVariant> = {};
  const values = new Map<string, Variant>();
  let source: string | undefined;
  for (const [name, raw] of Object.entries(properties)) {
    // A Luau nil inside a value leaves an empty table, which travels as an empty list.
    const parsed = WireVariant.safeParse(Array.isArray(raw) && raw.length === 0 ? {} : raw);
    const value = parsed.success ? variantFromWire(parsed.data) : err('{"Type": value}');
    if (!parsed.success || !value.ok) {
      const expected = value.ok ? '' : value.error;
      return err(
        name === 'Source'
          ? `the Source of this ${className} is no text in UTF-8, so no file can hold it`
          : `${className}.${name} has a value that cannot be read: expected ${expected}`,
      );
    }
    if (name === 'Source' && isScriptClass(className) && value.value.type === 'String') source = value.value.value;
    else wire[name] = parsed.data;
    values.set(name, value.value);
  }
  return ok({ source, wire, values });
}

/**
 * What is posted of an instance that the tree has, without what the tree says already. A value that the tree does not mention counts
 * only when it is not the one that the class has by itself: plugins post every property that they can read.
 */
export function withoutKnown(instance: Instance, written: WrittenValues, reflection: Reflection): WrittenValues {
  const { className, properties } = instance;
  const differs = (name: string, value: Variant): boolean => {
    const known = properties.get(name) ?? reflection.defaultOf(className, name);
    if (known === undefined) return true;
    return name === 'Source'
      ? known.value !== value.value
      : !propertiesEqual(reflection, className, name, known, value);
  };
  const values = new Map(Array.from(written.values).filter(([name, value]) => differs(name, value)));
  const wire = Object.fromEntries(Object.entries(written.wire).filter(([name]) => values.has(name)));
  return { source: values.has('Source') ? written.source : undefined, wire, values };
}

/** The posted values in the form that pulls are planned from. */
export const toStudioInstance = (instance: Instance, written: WrittenValues): StudioInstance => ({
  id: instance.id,
  name: instance.name,
  className: instance.className,
  ...(written.source !== undefined && { source: written.source }),
  properties: written.wire,
  children: [],
});

/** A posted subtree in the form that pulls are planned from. */
export function addedToStudioInstance(id: string, added: AddedInstance): Result<StudioInstance, string> {
  const written = readValues(added.className, added.properties);
  if (!written.ok) return written;
  const children: StudioInstance[] = [];
  for (const child of added.children) {
    const read = addedToStudioInstance('', child);
    if (!read.ok) return read;
    children.push(read.value);
  }
  // A script that has not been typed in yet may come without a Source.
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

/**
 * What the reference plugin leaves out of an instance that it posts whole (`reference/studio-protocol.md`, section 3.2): the file gets
 * the value that the class has by itself, and somebody must hear of it.
 */
export function leftOut(added: AddedInstance): readonly string[] {
  const own = unsentByPlugin[added.className];
  const missing = own !== undefined && !(own in added.properties) ? [`${added.className}.${own} of ${added.name}`] : [];
  return [...missing, ...added.children.flatMap(leftOut)];
}

const unsentByPlugin: Readonly<Record<string, string>> = {
  Script: 'RunContext',
  StringValue: 'Value',
  LocalizationTable: 'Contents',
};
