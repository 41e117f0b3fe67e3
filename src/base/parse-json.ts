/** The value of a JSON text, or `undefined` when it is none; a frame from outside must not throw. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The caller's schema refuses `undefined` and says what it expected.
    return undefined;
  }
}
