import type { Result } from '../../base/result.ts';
import type { JsonProblem } from '../../roblox/formats/json5-document.ts';
import { jsonValue } from '../../roblox/formats/json5-document.ts';
import { readToml } from '../../roblox/formats/toml.ts';
import { readYaml } from '../../roblox/formats/yaml.ts';
import { contentFile } from './file-snapshot.ts';
import { readJson, readText, reportProblem, type SnapshotPass } from '../snapshot/pass.ts';
import type { ProjectPath } from '../../base/brand.ts';
import type { FileContent, FileKind, FileSuffix } from './file-kind.ts';
import { luauExpression } from './luau-expression.ts';

type ReadValue = (pass: SnapshotPass, path: ProjectPath) => Promise<{ readonly value: unknown } | 'broken' | undefined>;

/** A data file: a ModuleScript that returns the value of the file. */
const dataKind = (name: string, suffixes: readonly FileSuffix[], read: ReadValue): FileKind => ({
  name,
  syncRuleNames: [name],
  suffixes,
  content: 'data',
  read: contentFile(async (pass, path): Promise<FileContent | 'broken' | undefined> => {
    const found = await read(pass, path);
    if (found === undefined || found === 'broken') return found;
    const source = `return ${luauExpression(found.value)}`;
    return { className: 'ModuleScript', properties: new Map([['Source', { type: 'String', value: source }]]) };
  }),
});

const parsedWith =
  (parse: (text: string) => Result<unknown, JsonProblem>): ReadValue =>
  async (pass, path) => {
    const found = await readText(pass, path);
    if (found === undefined || found === 'broken') return found;
    const value = parse(found.text);
    if (value.ok) return { value: value.value };
    reportProblem(pass, path, value.error);
    return 'broken';
  };

export const json = dataKind(
  'json',
  [{ suffix: '.json' }, { suffix: '.jsonc', dialect: 'rojo' }, { suffix: '.json5', dialect: 'atlas' }],
  async (pass, path) => {
    const document = await readJson(pass, path);
    return document === undefined || document === 'broken' ? document : { value: jsonValue(document.root) };
  },
);

export const toml = dataKind('toml', [{ suffix: '.toml', keepsBareName: true }], parsedWith(readToml));

export const yaml = dataKind(
  'yaml',
  [
    { suffix: '.yml', keepsBareName: true },
    { suffix: '.yaml', keepsBareName: true },
  ],
  parsedWith(readYaml),
);
