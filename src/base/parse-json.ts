/** Parses JSON. Returns `undefined` instead of throwing if the text is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The caller's schema rejects `undefined` and names what it expected.
    return undefined;
  }
}
