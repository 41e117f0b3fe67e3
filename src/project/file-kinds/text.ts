import { ok } from '../../base/result.ts';
import { contentFile } from './file-snapshot.ts';
import { readText } from '../snapshot/pass.ts';
import { type FileKind, takeText } from './file-kind.ts';
import type { TextFormat } from '../snapshot/file-traits.ts';

/** The value is the exact text of the file, including line ends and byte-order mark. */
const value: TextFormat = { property: 'Value', write: ok };

/** `*.txt`: a StringValue that holds the text. */
export const text: FileKind = {
  name: 'text',
  syncRuleNames: ['text'],
  suffixes: [{ suffix: '.txt', keepsBareName: true }],
  content: 'text',
  read: contentFile(async (pass, path) => {
    const read = await readText(pass, path);
    if (read === undefined || read === 'broken') return read;
    return {
      className: 'StringValue',
      properties: new Map([['Value', { type: 'String', value: read.text }]]),
      text: value,
    };
  }),
  create: instance => {
    const taken =
      instance.className === 'StringValue' && !instance.hasChildren ? takeText(instance, 'Value') : undefined;
    return taken && { suffix: '.txt', ...taken };
  },
};
