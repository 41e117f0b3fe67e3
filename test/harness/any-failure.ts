import { AppError, errorCatalog, type ErrorCode } from '../../src/base/errors.ts';

export const errorCodes = Object.keys(errorCatalog) as readonly ErrorCode[];

/** Builds an error with this code and `words` as every detail of its message. */
export function anyFailure(code: ErrorCode, words: string): AppError {
  const problem = { line: 1, column: 1, code: words, reason: words, variable: 'NAME', message: words };
  const lists: Readonly<Record<string, unknown>> = {
    ...(code !== 'INVALID_INPUT' && { problems: [problem] }),
    projects: [{ project: words, file: words, studios: [] }],
    studios: [{ studio: 's1', place: words, placeId: 0 }],
    ...Object.fromEntries(
      ['lookedFor', 'others', 'missing', 'known', 'arguments', 'roots', 'scope', 'modules'].map(name => [
        name,
        [words],
      ]),
    ),
  };
  const details: Record<string, unknown> = {};
  const asked = new Proxy(details, {
    get: (_, name: string) => (details[name] = Object.hasOwn(lists, name) ? lists[name] : words),
  });
  // The message decides which fields are read.
  errorCatalog[code].message(asked as never);
  return new AppError(code, details as never);
}
