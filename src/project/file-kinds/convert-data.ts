import type { DataConverter, DataFormat } from '../../ports/data-converter.ts';
import { readToml } from '../../roblox/formats/toml.ts';
import { readYaml } from '../../roblox/formats/yaml.ts';
import { convertJson, type ConvertText, moduleSourceOf, withoutWarnings } from './convert-small-data.ts';
import { contentsOfCsv } from './read-localization.ts';

/** Converts each text in one step, for programs whose event loop may be blocked. */
export const inProcessConverter: DataConverter = { convert: async ({ format, text }) => converters[format](text) };

const converters: Readonly<Record<DataFormat, ConvertText>> = {
  json: convertJson,
  yaml: withoutWarnings(readYaml, moduleSourceOf),
  toml: withoutWarnings(readToml, moduleSourceOf),
  csv: withoutWarnings(contentsOfCsv, contents => contents),
};
