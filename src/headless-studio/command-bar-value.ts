import { LuauOpaque, type LuauValue } from './luau-value.ts';
import type { CommandBarValue } from './worker-messages.ts';

/** Converts a value to JSON. Values that stay in Luau become their text, bytes become base64. */
export function toCommandBarValue(value: LuauValue, text: string): CommandBarValue {
  return { json: toJson(value), text };
}

function toJson(value: LuauValue): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof LuauOpaque) return value.text;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (isList(value)) return value.map(toJson);
  const entries: [LuauValue, LuauValue][] = value instanceof Map ? Array.from(value) : Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [keyText(key), toJson(item)]));
}

const isList = (value: LuauValue): value is readonly LuauValue[] => Array.isArray(value);

function keyText(key: LuauValue): string {
  const json = toJson(key);
  return typeof json === 'string' ? json : JSON.stringify(json);
}
