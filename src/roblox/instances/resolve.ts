import { err, ok, type Result } from '../../base/result.ts';
import { propertyTypeOf } from '../values/property-types.ts';
import type { DeclaredType, Reflection } from './reflection.ts';
import type { Variant } from '../values/variant.ts';
import { decodePayload, isVariantType, variantFromWire } from '../values/variant-wire.ts';

/**
 * Reads a property value of project, meta and model files: full (`{"Vector3": [1, 2, 3]}`, any type for any property) or short (`[1, 2,
 * 3]`, read with the declared type). An alias gets its canonical name. Whole numbers beyond 2^53 are `bigint`. The error completes the
 * sentence "expected …".
 */
export function resolveProperty(
  reflection: Reflection,
  className: string,
  propertyName: string,
  json: unknown,
): Result<{ readonly name: string; readonly value: Variant }, string> {
  const property = reflection.property(className, propertyName);
  const name = property?.canonicalName ?? propertyName;
  const full = readFull(json);
  if (full?.ok) return ok({ name, value: full.value });
  const where = `${className}.${propertyName}`;
  if (property === undefined) return err(full ? `${where} to be ${full.error}` : unknownProperty(where, json));
  const short = readShort(reflection, property.type, json);
  if (short.ok) return ok({ name, value: short.value });
  // An object whose only key is the name of a type is a full form, so its error is the useful one.
  const expected = full && property.type !== 'Attributes' ? full.error : short.error;
  const given = show(json);
  return err(
    property.type === 'Ref'
      ? `${where} to be ${expected} (point to the instance with the attribute Rojo_Target_${propertyName} and its id, or Rojo_Ref_${propertyName} and its path in the Atlas dialect), not ${given}`
      : `${where} to be ${expected}, not ${given}`,
  );
}

/** Reads one attribute: full, or a plain boolean, number (Float64) or string. The error completes the sentence "expected …". */
export function resolveAttribute(given: unknown): Result<Variant, string> {
  const json = typeof given === 'bigint' ? Number(given) : given;
  const isPlain = typeof json === 'boolean' || typeof json === 'number' || typeof json === 'string';
  const result = isPlain ? variantFromWire(json) : readFull(json);
  if (result?.ok && result.value.type !== 'Attributes') return result;
  const expected = result && !result.ok ? result.error : 'true, false, a number, a string or {"Type": value}';
  return err(`${expected}, not ${show(json)}`);
}

/** `undefined`: not the full form. */
function readFull(json: unknown): Result<Variant, string> | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const [type, second] = Object.keys(json);
  return type !== undefined && second === undefined && isVariantType(type) ? variantFromWire(json) : undefined;
}

function readShort(reflection: Reflection, type: DeclaredType, json: unknown): Result<Variant, string> {
  if (typeof type === 'object') return readEnum(reflection, type.enum, json);
  const { short, wire } = propertyTypeOf(type);
  if (short === undefined) return err(`{"${type}": …} with ${wire.expected}`);
  const decode = (payload: unknown) => decodePayload(type, payload)?.value;
  const value = short.read === undefined ? decode(json) : short.read(json, decode);
  return value === undefined ? err(short.expected ?? wire.expected) : ok({ type, value } as Variant);
}

function readEnum(reflection: Reflection, enumName: string, json: unknown): Result<Variant, string> {
  const items = reflection.enumItems(enumName);
  const value = typeof json === 'string' ? items.get(json) : undefined;
  if (value !== undefined) return ok({ type: 'Enum', value });
  const names = Array.from(items.keys()).toSorted();
  const some = names.slice(0, 9).join(', ');
  return err(
    names.length > 9
      ? `the name of an item of Enum.${enumName} (${some} or ${names.length - 9} more)`
      : `the name of an item of Enum.${enumName} (${some})`,
  );
}

const unknownProperty = (where: string, json: unknown): string =>
  `a property that Roblox knows, or the full form {"Type": value}, instead of ${where} with ${show(json)}`;

function show(json: unknown): string {
  const shown =
    JSON.stringify(json, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)) ?? 'nothing';
  return shown.length > 60 ? `${shown.slice(0, 57)}…` : shown;
}
