import type { ProjectPath } from '../../base/brand.ts';
import { err } from '../../base/result.ts';
import type { DataFormat } from '../../ports/data-converter.ts';
import { readText, reportProblem, type SnapshotPass } from '../snapshot/pass.ts';
import { convertData, MAX_CHARACTERS_IN_ONE_TURN } from './convert-data.ts';

/** The text that a data file becomes in Studio. Reports problems; `'broken'` after an error, `undefined` without the file. */
export async function readData(
  pass: SnapshotPass,
  path: ProjectPath,
  format: DataFormat,
): Promise<{ readonly text: string } | 'broken' | undefined> {
  const read = await readText(pass, path);
  if (read === undefined || read === 'broken') return read;
  const data = { format, text: read.text };
  const isSmall = read.text.length <= MAX_CHARACTERS_IN_ONE_TURN[format];
  const converted =
    isSmall || pass.converter === undefined
      ? convertData(data)
      : // The thread has a limit of time and of memory, and the rest of the project is read without this file.
        await pass.converter
          .convert(data)
          .catch(() => err({ line: 1, column: 1, expected: 'a smaller or simpler file' }));
  if (!converted.ok) {
    reportProblem(pass, path, converted.error);
    return 'broken';
  }
  for (const warning of converted.value.warnings) reportProblem(pass, path, warning, 'warning');
  return converted.value;
}
