import { ok, type Result } from '../../base/result.ts';
import type { ConvertedData, DataProblem } from '../../ports/data-converter.ts';
import { jsonValue, parseJsonDocument } from '../../roblox/formats/json5-document.ts';
import { luauExpression } from './luau-expression.ts';

export type ConvertText = (text: string) => Result<ConvertedData, DataProblem>;

export const moduleSourceOf = (value: unknown): string => `return ${luauExpression(value)}`;

export const convertJson: ConvertText = text => {
  const document = parseJsonDocument(text);
  if (!document.ok) return document;
  const { root, warnings } = document.value;
  return ok({ text: moduleSourceOf(jsonValue(root)), warnings });
};

/** Combines a reader that reports no warnings with a printer of its value. */
export const withoutWarnings =
  <T>(read: (text: string) => Result<T, DataProblem>, print: (value: T) => string): ConvertText =>
  text => {
    const value = read(text);
    return value.ok ? ok({ text: print(value.value), warnings: [] }) : value;
  };

/**
 * Maximum UTF-16 units of a JSON file that is converted without another thread, which takes about ten milliseconds. Other formats always use the
 * thread: their parsers would be a tenth of the extension, for files that few projects have.
 */
export const MAX_SMALL_JSON = 32 * 1024;
