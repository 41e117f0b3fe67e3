import type { DataFormat } from '../../ports/data-converter.ts';
import { contentFile } from './file-snapshot.ts';
import type { FileKind, FileSuffix } from './file-kind.ts';
import { readData } from './read-data.ts';

/** A data file: a ModuleScript that returns the value of the file. */
const dataKind = (name: DataFormat, suffixes: readonly FileSuffix[]): FileKind => ({
  name,
  syncRuleNames: [name],
  suffixes,
  content: 'data',
  read: contentFile(async (pass, path) => {
    const source = await readData(pass, path, name);
    if (source === undefined || source === 'broken') return source;
    return { className: 'ModuleScript', properties: new Map([['Source', { type: 'String', value: source.text }]]) };
  }),
});

export const json = dataKind('json', [
  { suffix: '.json' },
  { suffix: '.jsonc', dialect: 'rojo' },
  { suffix: '.json5', dialect: 'atlas' },
]);

export const toml = dataKind('toml', [{ suffix: '.toml', keepsBareName: true }]);

export const yaml = dataKind('yaml', [
  { suffix: '.yml', keepsBareName: true },
  { suffix: '.yaml', keepsBareName: true },
]);
