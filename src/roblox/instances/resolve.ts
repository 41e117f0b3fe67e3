import { err, ok, type Result } from '../../base/result.ts';
import type { PropertyType, Reflection } from './reflection.ts';
import type { Variant, VariantType } from './variant.ts';
import { decodePayload, expectedPayload, isVariantType, variantFromWire } from './variant-wire.ts';

/**
 * A property value as project, meta and model files hold it: full (`{"Vector3": [1, 2, 3]}`, any type on any property) or short
 * (`[1, 2, 3]`, read with the type that Roblox declares). An alias gets its canonical name. Whole numbers beyond 2^53 are
 * `bigint`.
 * The error finishes the sentence "expected …". Rules: `reference/project-format.md`, sections 3.1 to 3.6.
 */
export function resolveProperty(
  reflection: Reflection,
  className: string,
  propertyName: string,
  json: unknown,
): Result<{ readonly name: string; readonly value: Variant }, string> {
  const property = reflection.property(className, propertyName);
  const name = property?.canonicalName ?? propertyName;
  const where = `${className}.${propertyName}`;
  const full = readFull(json);
  if (full?.ok) return ok({ name, value: full.value });
  if (property === undefined) return err(full ? `${where} to be ${full.error}` : unknownProperty(where, json));
  const short = readShort(reflection, property.type, json);
  if (short.ok) return ok({ name, value: short.value });
  // An object with the name of a type as its one key meant the full form, so its complaint is the helpful one.
  const expected = full && property.type !== 'Attributes' ? full.error : short.error;
  const given = show(json);
  return err(
    property.type === 'Ref'
      ? `${where} to be ${expected} (point to the instance with the attribute Rojo_Target_${propertyName} and its id, or Rojo_Ref_${propertyName} and its path in the Atlas dialect), not ${given}`
      : `${where} to be ${expected}, not ${given}`,
  );
}

/**
 * One attribute: full, or a plain boolean, number (Float64) or string. The error finishes the sentence "expected …".
 */
export function resolveAttribute(given: unknown): Result<Variant, string> {
  const json = typeof given === 'bigint' ? Number(given) : given;
  const isPlain = typeof json === 'boolean' || typeof json === 'number' || typeof json === 'string';
  const result = isPlain ? variantFromWire(json) : readFull(json);
  if (result?.ok && result.value.type !== 'Attributes') return result;
  const expected = result && !result.ok ? result.error : 'true, false, a number, a string or {"Type": value}';
  return err(`${expected}, not ${show(json)}`);
}

/** `undefined`: not meant to be the full form. */
function readFull(json: unknown): Result<Variant, string> | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const [type, second] = Object.keys(json);
  return type !== undefined && second === undefined && isVariantType(type) ? variantFromWire(json) : undefined;
}

function readShort(reflection: Reflection, type: PropertyType, json: unknown): Result<Variant, string> {
  if (typeof type === 'object') return readEnum(reflection, type.enum, json);
  const form = shortForms[type];
  if (form === undefined) return err(`{"${type}": …} with ${expectedPayload(type)}`);
  const value = form.read(json);
  return value === undefined ? err(form.expected) : ok(value);
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

interface ShortForm {
  readonly expected: string;
  read(json: unknown): Variant | undefined;
}

/** Where the short form is the payload of the full form. */
const payloadOf = (type: VariantType, expected: string): ShortForm => ({
  expected,
  read: json => decodePayload(type, json),
});
const text = (type: 'ContentId' | 'String'): ShortForm => ({
  expected: 'a string',
  read: json => (typeof json === 'string' ? { type, value: json } : undefined),
});

const truncate = (json: unknown, min: number, max: number): number | undefined => {
  // The short form is a double in every program that reads it.
  const number = typeof json === 'bigint' ? Number(json) : json;
  if (typeof number !== 'number') return undefined;
  return Number.isNaN(number) ? 0 : Math.min(max, Math.max(min, Math.trunc(number))) + 0;
};

const shortForms: { readonly [T in VariantType]?: ShortForm } = {
  Attributes: {
    expected: 'an object of attribute name to {"Type": value}',
    // An empty array is a list of strings here, so no attributes: only objects are.
    read: json => (Array.isArray(json) ? undefined : decodePayload('Attributes', json)),
  },
  Bool: payloadOf('Bool', 'true or false'),
  CFrame: { expected: '12 numbers: x, y, z, then the rotation row by row', read: readCFrame },
  Color3: payloadOf('Color3', '[r, g, b], each from 0 to 1'),
  Content: {
    expected: 'a string',
    read: json => (typeof json === 'string' ? { type: 'Content', value: { kind: 'uri', uri: json } } : undefined),
  },
  ContentId: text('ContentId'),
  Float32: payloadOf('Float32', 'a number'),
  Float64: payloadOf('Float64', 'a number'),
  Font: payloadOf('Font', '{"family": "…", "weight": "Regular", "style": "Normal"}'),
  Int32: {
    expected: 'a number',
    read: json => {
      const value = truncate(json, -0x80000000, 0x7fffffff);
      return value === undefined ? undefined : { type: 'Int32', value };
    },
  },
  Int64: {
    expected: 'a number',
    read: json => {
      const value = truncate(json, -(2 ** 63), 2 ** 63);
      if (value === undefined) return undefined;
      // 2^63 itself is the nearest double to the largest value.
      return { type: 'Int64', value: value === 2 ** 63 ? 2n ** 63n - 1n : BigInt(value) };
    },
  },
  MaterialColors: payloadOf('MaterialColors', 'an object of terrain material to [r, g, b], each from 0 to 255'),
  Ref: { expected: 'left out here', read: () => undefined },
  String: text('String'),
  Tags: payloadOf('Tags', 'an array of strings'),
  Vector2: payloadOf('Vector2', '[x, y]'),
  Vector3: payloadOf('Vector3', '[x, y, z]'),
};

function readCFrame(json: unknown): Variant | undefined {
  if (!Array.isArray(json) || json.length !== 12) return undefined;
  const orientation = [json.slice(3, 6), json.slice(6, 9), json.slice(9, 12)];
  return decodePayload('CFrame', { position: json.slice(0, 3), orientation });
}

const unknownProperty = (where: string, json: unknown): string =>
  `a property that Roblox knows, or the full form {"Type": value}, instead of ${where} with ${show(json)}`;

function show(json: unknown): string {
  const shown =
    JSON.stringify(json, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)) ?? 'nothing';
  return shown.length > 60 ? `${shown.slice(0, 57)}…` : shown;
}
