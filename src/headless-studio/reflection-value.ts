import type { ReflectionRow, ReflectionData } from '../roblox/instances/reflection-data.ts';
import { variantFromWire } from '../roblox/values/variant-wire.ts';
import { NULL_REF } from '../roblox/values/ref.ts';
import { ByteWriter } from '../roblox/encoding/byte-writer.ts';
import type { LuauValue } from './luau-value.ts';
import { writeVariant } from './variant-bytes.ts';

/** The reflection data for `luau/reflection.luau`: the same tables, with default values as bytes. */
export function reflectionToLuau(data: ReflectionData): LuauValue {
  return {
    rows: data.rows.map(rowToLuau),
    values: data.values.map(valueToBytes),
    classes: Object.fromEntries(
      Object.entries(data.classes).map(([name, [superclass, tags, properties, defaults]]) => [
        name,
        [superclass, tags, asMap(properties), asMap(withoutNulls(defaults))],
      ]),
    ),
    enums: Object.fromEntries(Object.entries(data.enums).map(([name, items]) => [name, asMap(items)])),
  };
}

function rowToLuau([type, scriptability, how]: ReflectionRow): LuauValue {
  const aliasFor = typeof how === 'object' && 'aliasFor' in how ? how.aliasFor : '';
  const migrates = typeof how === 'object' && 'to' in how ? how : undefined;
  const serializes = how !== 0 && migrates === undefined;
  return [type, scriptability, serializes, aliasFor, migrates?.to[0] ?? '', migrates?.operation ?? ''];
}

/** An unknown default becomes the one byte that says so. */
function valueToBytes(wire: unknown): Uint8Array {
  const variant = variantFromWire(wire);
  const writer = new ByteWriter();
  if (variant.ok) writeVariant(writer, variant.value, { indexOf: () => -1, refAt: () => NULL_REF });
  else writer.u8(0);
  return writer.finish();
}

/** `null` (no default although the superclass has one) would vanish from a Luau table. */
const withoutNulls = (defaults: Readonly<Record<string, number | null>>): Readonly<Record<string, number | false>> =>
  Object.fromEntries(Object.entries(defaults).map(([name, index]) => [name, index ?? false]));

/** An empty record must not become an array. */
const asMap = (record: Readonly<Record<string, LuauValue>>): ReadonlyMap<LuauValue, LuauValue> =>
  new Map(Object.entries(record));
