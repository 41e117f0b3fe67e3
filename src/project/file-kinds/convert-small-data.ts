import { ok, type Result } from '../../base/result.ts';
import type { ConvertedData, DataFormat, DataProblem } from '../../ports/data-converter.ts';
import { jsonValue, parseJsonDocument } from '../../roblox/formats/json5-document.ts';
import { contentsOfCsv } from './localization.ts';
import { luauExpression } from './luau-expression.ts';

export type ConvertText = (text: string) => Result<ConvertedData, DataProblem>;

export const moduleSourceOf = (value: unknown): string => `return ${luauExpression(value)}`;

export const convertJson: ConvertText = text => {
  const document = parseJsonDocument(text);
  if (!document.ok) return document;
  const { root, warnings } = document.value;
  return ok({ text: moduleSourceOf(jsonValue(root)), warnings });
};

export const withoutWarnings =
  <T>(read: (text: string) => Result<T, DataProblem>, print: (value: T) => string): ConvertText =>
  text => {
    const value = read(text);
    return value.ok ? ok({ text: print(value.value), warnings: [] }) : value;
  };

export const convertCsv = withoutWarnings(contentsOfCsv, contents => contents);

/**
 * The formats that are converted without another thread up to `maxLength` UTF-16 units, which takes about ten milliseconds. The parsers of
 * the others would be a tenth of the extension, for files that few projects have.
 */
export const smallData: Partial<Record<DataFormat, { readonly maxLength: number; readonly convert: ConvertText }>> = {
  json: { maxLength: 32 * 1024, convert: convertJson },
  csv: { maxLength: 16 * 1024, convert: convertCsv },
};
