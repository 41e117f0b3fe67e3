/** Reserved words of JavaScript, and the globals that the emitted text uses. */
const RESERVED = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for ' +
    'function if implements import in instanceof interface let new null package private protected public return static super switch this ' +
    'throw true try typeof var void while with yield undefined NaN Infinity BigInt Math Number self'
  ).split(' '),
);

/** Method names with a meaning in JavaScript. */
const SPECIAL_METHODS = new Set(
  (
    'constructor toString toLocaleString valueOf toJSON then hasOwnProperty isPrototypeOf propertyIsEnumerable __proto__ ' +
    '__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__'
  ).split(' '),
);

export const localName = (name: string): string => (RESERVED.has(name) ? `${name}$` : name);
export const methodName = (name: string): string => (SPECIAL_METHODS.has(name) ? `${name}$` : name);
export const fieldName = (name: string): string => `$${name}`;
/** Name of a captured variable outside the closure that assigns its copy. No generated function, such as `$$wide`, ends with a dollar sign. */
export const copyName = (name: string): string => `$$${name}$`;

/** A JavaScript literal with the UTF-8 bytes of a text: Pluto strings are bytes. */
export function byteLiteral(text: string): string {
  let literal = '"';
  for (const byte of new TextEncoder().encode(text)) {
    if (byte === 0x22 || byte === 0x5c) literal += `\\${String.fromCodePoint(byte)}`;
    else if (byte >= 0x20 && byte < 0x7f) literal += String.fromCodePoint(byte);
    else literal += `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `${literal}"`;
}
