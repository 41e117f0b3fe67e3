import type { ErrorValue, Value } from '../../backend/contract.ts';
import { Byte } from './byte.ts';
import type { ByteText } from './byte-text.ts';
import { EnumData } from './data.ts';
import { formatFloat } from './floats.ts';
import { WasmValue } from './wasm-values.ts';

/** The text of a value in `print` and `f"{…}"`; the kind of value if neither supports it. A number is a float. */
export function textOf(value: Value): ByteText {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return formatFloat(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      if (value instanceof Byte) return String(value.value);
      if (value instanceof EnumData) return `${value.variant.enumName}.${value.variant.name}`;
      if (value instanceof WasmValue) return value.text;
      return value === null ? 'none' : '<value>';
  }
}

/** The message of an error: its field `message`, or else its first field. */
export function messageOf({ type, fields }: ErrorValue): ByteText {
  if (fields.length === 0) return '';
  const index = Math.max(type.fieldNames.indexOf('message'), 0);
  const field = fields[index];
  return typeof field === 'number' && type.intFields.includes(index) ? String(field) : textOf(field);
}
