import type { ProjectPath } from '../../base/brand.ts';
import { err } from '../../base/result.ts';
import type { DataFormat } from '../../ports/data-converter.ts';
import { readText, reportProblem, type SnapshotPass } from '../snapshot/pass.ts';
import { smallData } from './convert-small-data.ts';

/** The text that a data file becomes in Studio. Reports problems; `'broken'` after an error, `undefined` without the file. */
export async function readData(
  pass: SnapshotPass,
  path: ProjectPath,
  format: DataFormat,
): Promise<{ readonly text: string } | 'broken' | undefined> {
  const read = await readText(pass, path);
  if (read === undefined || read === 'broken') return read;
  const small = smallData[format];
  const converted =
    small !== undefined && read.text.length <= small.maxLength
      ? small.convert(read.text)
      : // The thread has a limit of time and of memory, and the rest of the project is read without this file.
        await pass.converter
          .convert({ format, text: read.text })
          .catch(() => err({ line: 1, column: 1, expected: 'a smaller or simpler file' }));
  if (!converted.ok) {
    reportProblem(pass, path, converted.error);
    return 'broken';
  }
  for (const warning of converted.value.warnings) reportProblem(pass, path, warning, 'warning');
  return converted.value;
}
