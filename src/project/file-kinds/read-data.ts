import type { ProjectPath } from '../../base/brand.ts';
import { describeCause } from '../../base/describe-cause.ts';
import { err, type Result } from '../../base/result.ts';
import { WorkLimitError } from '../../base/work-limit-error.ts';
import type { ConvertedData, DataFormat, DataProblem, DataText } from '../../ports/data-converter.ts';
import { readText, reportProblem, reportWarning, type SnapshotPass } from '../snapshot/pass.ts';
import { convertJson, MAX_SMALL_JSON } from './convert-small-data.ts';

/** The text that a data file becomes in Studio. Reports problems; `'broken'` after an error, `undefined` without the file. */
export async function readData(
  pass: SnapshotPass,
  path: ProjectPath,
  format: DataFormat,
): Promise<{ readonly text: string } | 'broken' | undefined> {
  const read = await readText(pass, path);
  if (read === undefined || read === 'broken') return read;
  const converted =
    format === 'json' && read.text.length <= MAX_SMALL_JSON
      ? convertJson(read.text)
      : await convertInThread(pass, path, { format, text: read.text });
  if (converted === 'broken') return converted;
  if (!converted.ok) {
    reportProblem(pass, path, converted.error);
    return 'broken';
  }
  for (const warning of converted.value.warnings) reportWarning(pass, path, warning);
  return converted.value;
}

/** The rest of the project is read without a file that the thread cannot convert, for whatever reason. */
async function convertInThread(
  pass: SnapshotPass,
  file: ProjectPath,
  data: DataText,
): Promise<Result<ConvertedData, DataProblem> | 'broken'> {
  try {
    return await pass.converter.convert(data);
  } catch (error) {
    if (!(error instanceof WorkLimitError)) {
      const message = `cannot convert this file: ${describeCause(error)}`;
      pass.report({ file, line: 1, column: 1, severity: 'error', message });
      return 'broken';
    }
    const { limit } = error;
    const exceeded = limit.kind === 'time' ? `${limit.seconds} s` : `${limit.megabytes} MB of memory`;
    const expected = `a smaller or simpler file: converting it takes more than ${exceeded}`;
    return err({ line: 1, column: 1, expected });
  }
}
