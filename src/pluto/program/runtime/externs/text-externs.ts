import { toByteText } from '../values/byte-text.ts';
import { exactJsonNumber, formatFloat, parseFloat64 } from '../values/floats.ts';
import { parseInt64 } from '../values/ints.ts';
import { stringMethods } from '../values/strings.ts';
import { textOf } from '../values/text-of.ts';
import type { ExternTable } from './extern-table.ts';

/** `__pluto_string_…` and conversions to text. */
export const textExterns: ExternTable = {
  ...Object.fromEntries(Object.entries(stringMethods).map(([name, method]) => [`__pluto_string_${name}`, method])),
  __pluto_string_format_float: formatFloat,
  __pluto_codepoint_to_string: (code: bigint) =>
    code >= 0n && code <= 0x10ffffn ? toByteText(String.fromCodePoint(Number(code))) : '',
  __pluto_int_to_string: textOf,
  __pluto_float_to_string: textOf,
  __pluto_bool_to_string: (value: bigint | boolean) => String(Boolean(value)),
  __pluto_json_parse_int: (text: string) => parseInt64(text) ?? 0n,
  // Not in the reference: its formats of floats have 15 digits, and two floats may have the same.
  __pluto_json_format_float: exactJsonNumber,
  __pluto_json_parse_float: (text: string) => parseFloat64(text) ?? 0,
};
