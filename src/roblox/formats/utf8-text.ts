import { err, ok, type Result } from '../../base/result.ts';
import { type JsonProblem, positionAt } from './json5-document.ts';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lossy = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes a text file, or returns the position of its first byte that is not UTF-8. A text with replaced bytes must not be written back. */
export function decodeUtf8Text(bytes: Uint8Array): Result<string, JsonProblem> {
  try {
    return ok(strict.decode(bytes));
  } catch {
    const text = lossy.decode(bytes);
    const { line, column } = positionAt(text, Math.max(0, text.indexOf('\uFFFD')));
    return err({ line, column, expected: 'UTF-8 text; save the file with that encoding' });
  }
}
