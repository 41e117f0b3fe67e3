import type { ProjectPath } from '../../base/brand.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import { contentsOfCsv } from './localization.ts';
import { fileSnapshot, type Middleware } from './middleware.ts';
import { readText, reportProblem, type SnapshotPass } from './pass.ts';
import type { SourceLocation } from './source-snapshot.ts';

/** `*.csv`: a LocalizationTable. */
export const csv: Middleware = async (pass, file) => {
  const table = await readTable(pass, file.path);
  return table === undefined || table === 'broken' ? table : fileSnapshot(pass, file, table);
};

interface Table {
  readonly className: string;
  readonly properties: ReadonlyMap<string, Variant>;
  readonly home: Pick<SourceLocation, 'text'>;
}

/** The table of a CSV file, or of a folder by its `init.csv`. */
export async function readTable(pass: SnapshotPass, path: ProjectPath): Promise<Table | 'broken' | undefined> {
  const read = await readText(pass, path);
  if (read === undefined || read === 'broken') return read;
  const contents = contentsOfCsv(read.text);
  if (!contents.ok) {
    reportProblem(pass, path, contents.error);
    return 'broken';
  }
  return {
    className: 'LocalizationTable',
    properties: new Map([['Contents', { type: 'String', value: contents.value }]]),
    home: { text: { path, property: 'Contents', form: 'csv' } },
  };
}
