import { ok } from '../../base/result.ts';
import { contentFile } from './file-snapshot.ts';
import { readData } from './read-data.ts';
import { type FileKind, type ReadContent, takeText } from './file-kind.ts';
import type { TextFormat } from '../snapshot/file-traits.ts';
import { csvOfContents } from './localization.ts';

/** Preserves the byte-order mark and the line ends of the file. */
const contents: TextFormat = {
  property: 'Contents',
  write(value, before) {
    const written = csvOfContents(value, /^[^\n]*\r\n/.test(before) ? '\r\n' : '\n');
    return written.ok && before.startsWith('\uFEFF') ? ok(`\uFEFF${written.value}`) : written;
  },
};

const readTable: ReadContent = async (pass, path) => {
  const table = await readData(pass, path, 'csv');
  if (table === undefined || table === 'broken') return table;
  return {
    className: 'LocalizationTable',
    properties: new Map([['Contents', { type: 'String', value: table.text }]]),
    text: contents,
  };
};

/** `*.csv`: a LocalizationTable. */
export const csv: FileKind = {
  name: 'csv',
  syncRuleNames: ['csv'],
  suffixes: [{ suffix: '.csv', keepsBareName: true, initOrder: { rojo: 8, atlas: 6 } }],
  content: 'text',
  read: contentFile(readTable),
  readInit: readTable,
  create: instance => {
    const taken = instance.className === 'LocalizationTable' ? takeText(instance, 'Contents') : undefined;
    const written = taken && contents.write(taken.text || '[]', '');
    return taken && written?.ok ? { suffix: '.csv', text: written.value, values: taken.values } : undefined;
  },
};
