import { fileSnapshot, type Middleware } from './middleware.ts';
import { readText } from './pass.ts';

/** `*.txt`: a StringValue that holds the text as it is. */
export const text: Middleware = async (pass, file) => {
  const read = await readText(pass, file.path);
  if (read === undefined || read === 'broken') return read;
  return fileSnapshot(pass, file, {
    className: 'StringValue',
    properties: new Map([['Value', { type: 'String', value: read.text }]]),
    home: { text: { path: file.path, property: 'Value' } },
  });
};
