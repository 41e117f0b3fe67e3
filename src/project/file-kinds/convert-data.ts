import { ok, type Result } from '../../base/result.ts';
import type { ConvertedData, DataFormat, DataProblem, DataText } from '../../ports/data-converter.ts';
import { jsonValue, parseJsonDocument } from '../../roblox/formats/json5-document.ts';
import { readToml } from '../../roblox/formats/toml.ts';
import { readYaml } from '../../roblox/formats/yaml.ts';
import { contentsOfCsv } from './localization.ts';
import { luauExpression } from './luau-expression.ts';

/** Converts the text in one step, which takes about ten milliseconds at `MAX_CHARACTERS_IN_ONE_TURN`. */
export const convertData = ({ format, text }: DataText): Result<ConvertedData, DataProblem> => converters[format](text);

/** The longest texts that are converted without another thread, in UTF-16 units. */
export const MAX_CHARACTERS_IN_ONE_TURN: Readonly<Record<DataFormat, number>> = {
  json: 32 * 1024,
  yaml: 4 * 1024,
  toml: 32 * 1024,
  csv: 16 * 1024,
};

type Convert = (text: string) => Result<ConvertedData, DataProblem>;

const sourceOf = (value: unknown): string => `return ${luauExpression(value)}`;

const withoutWarnings =
  <T>(read: (text: string) => Result<T, DataProblem>, print: (value: T) => string): Convert =>
  text => {
    const value = read(text);
    return value.ok ? ok({ text: print(value.value), warnings: [] }) : value;
  };

const converters: Readonly<Record<DataFormat, Convert>> = {
  json: text => {
    const document = parseJsonDocument(text);
    if (!document.ok) return document;
    const { root, warnings } = document.value;
    return ok({ text: sourceOf(jsonValue(root)), warnings });
  },
  yaml: withoutWarnings(readYaml, sourceOf),
  toml: withoutWarnings(readToml, sourceOf),
  csv: withoutWarnings(contentsOfCsv, contents => contents),
};
