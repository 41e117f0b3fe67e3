import { err, ok, type Result } from '../../base/result.ts';
import type { WireVariant } from '../../protocol/values.ts';
import type { Variant, VariantPayloads, VariantType } from './variant.ts';
import { valueCodecs, type WireCodec } from './wire-codecs.ts';
import { parseMap } from './wire-parsers.ts';

const wireCodecs: { readonly [T in VariantType]: WireCodec<VariantPayloads[T]> } = {
  ...valueCodecs,
  Attributes: {
    expected: 'an object of attribute name to {"Type": value}',
    encode: map => Object.fromEntries(Array.from(map, ([name, value]) => [name, variantToWire(value)])),
    decode: raw => parseMap<Variant>(raw, decodeAttribute),
  },
};

/**
 * The encoded form `{"<Type>": payload}` of `reference/studio-protocol.md`, section 1.4; for msgpack as for JSON bodies.
 * Whole numbers beyond 53 bits become decimal strings; infinities and NaN stay numbers, which JSON text cannot hold.
 */
export function variantToWire(variant: Variant): WireVariant {
  return { [variant.type]: encodePayload<VariantType>(variant.type, variant.value) };
}

/**
 * Reads the encoded form, and plain booleans, numbers (as Float64) and strings. Tolerates what a Luau encoder makes of values:
 * whole floats for integers, `[]` for an empty map, `{}` for an absent optional, bytes for text. The error finishes "expected …".
 */
export function variantFromWire(wire: unknown): Result<Variant, string> {
  if (typeof wire === 'boolean') return ok({ type: 'Bool', value: wire });
  if (typeof wire === 'number') return ok({ type: 'Float64', value: wire });
  if (typeof wire === 'string') return ok({ type: 'String', value: wire });
  if (typeof wire !== 'object' || wire === null || wire instanceof Uint8Array) return err('{"Type": value}');
  const [entry, second] = Object.entries(wire);
  // Lua drops a nil member, so {"OptionalCFrame": nil} arrives without its key; no other type has an absent value.
  if (entry === undefined) return ok({ type: 'OptionalCFrame', value: null });
  if (second !== undefined || Array.isArray(wire)) return err('{"Type": value} with exactly one type');
  const [type, payload] = entry;
  if (!isVariantType(type)) return err(`a known property type instead of ${JSON.stringify(type)}`);
  const variant = decodePayload(type, payload);
  return variant === undefined ? err(`${expectedPayload(type)} for ${type}`) : ok(variant);
}

export const isVariantType = (name: string): name is VariantType => Object.hasOwn(wireCodecs, name);

/** What the payload of a type looks like; finishes the sentence "expected …". */
export const expectedPayload = (type: VariantType): string => wireCodecs[type].expected;

/** The payload of one known type; `undefined` when it does not fit. */
export function decodePayload(type: VariantType, payload: unknown): Variant | undefined {
  const value = wireCodecs[type].decode(payload);
  // The codec of `type` made the value: TypeScript cannot follow the pair through the union.
  return value === undefined ? undefined : ({ type, value } as Variant);
}

/** Always the full form, never a plain value; sets of attributes do not nest. */
function decodeAttribute(raw: unknown): Variant | undefined {
  const result = typeof raw === 'object' ? variantFromWire(raw) : undefined;
  return result?.ok && result.value.type !== 'Attributes' ? result.value : undefined;
}

function encodePayload<T extends VariantType>(type: T, value: VariantPayloads[T]): unknown {
  return wireCodecs[type].encode(value);
}
