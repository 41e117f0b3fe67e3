import { err, ok, type Result } from '../../base/result.ts';
import type { WireVariant } from '../../protocol/values.ts';
import { propertyTypeOf, propertyTypes } from './property-types.ts';
import type { Variant, VariantType } from './variant.ts';

/**
 * The encoded form `{"<Type>": payload}`, the same in msgpack and JSON bodies. Whole numbers beyond 53 bits become decimal strings.
 * Infinities and NaN stay numbers, which JSON does not support.
 */
export function variantToWire(variant: Variant): WireVariant {
  return { [variant.type]: propertyTypeOf(variant.type).wire.encode(variant.value, variantToWire) };
}

/**
 * Reads the encoded form, and plain booleans, numbers (as Float64) and strings. Accepts the output of Luau encoders: whole floats for
 * integers, `[]` for an empty map, `{}` for an absent optional, bytes for text. The error completes the sentence "expected …".
 */
export function variantFromWire(wire: unknown): Result<Variant, string> {
  if (typeof wire === 'boolean') return ok({ type: 'Bool', value: wire });
  if (typeof wire === 'number') return ok({ type: 'Float64', value: wire });
  if (typeof wire === 'string') return ok({ type: 'String', value: wire });
  if (typeof wire !== 'object' || wire === null || wire instanceof Uint8Array) return err('{"Type": value}');
  const [entry, second] = Object.entries(wire);
  // Lua drops a nil member, so {"OptionalCFrame": nil} arrives without its key. No other type has an absent value.
  if (entry === undefined) return ok({ type: 'OptionalCFrame', value: null });
  if (second !== undefined || Array.isArray(wire)) return err('{"Type": value} with exactly one type');
  const [type, payload] = entry;
  if (!isVariantType(type)) return err(`a known property type instead of ${JSON.stringify(type)}`);
  const variant = decodePayload(type, payload);
  return variant === undefined ? err(`${expectedPayload(type)} for ${type}`) : ok(variant);
}

export const isVariantType = (name: string): name is VariantType => Object.hasOwn(propertyTypes, name);

/** The form of a type's payload; completes the sentence "expected …". */
const expectedPayload = (type: VariantType): string => propertyTypes[type].wire.expected;

/** Reads the payload of one type; `undefined` for a payload of another form. */
export function decodePayload(type: VariantType, payload: unknown): Variant | undefined {
  const value = propertyTypeOf(type).wire.decode(payload, decodeNested);
  return value === undefined ? undefined : ({ type, value } as Variant);
}

function decodeNested(raw: unknown): Variant | undefined {
  const result = variantFromWire(raw);
  return result.ok ? result.value : undefined;
}
