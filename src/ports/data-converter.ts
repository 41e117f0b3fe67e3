import type { Result } from '../base/result.ts';

/** Formats of files that become one text in Studio. */
export type DataFormat = 'json' | 'yaml' | 'toml' | 'csv';

export interface DataText {
  readonly format: DataFormat;
  readonly text: string;
}

/** `expected` completes the sentence "expected …". Lines and columns count from 1, columns in UTF-16 units. */
export interface DataProblem {
  readonly line: number;
  readonly column: number;
  readonly expected: string;
}

/** The source of a ModuleScript that returns the data, or for `csv` the `Contents` of a LocalizationTable. */
export interface ConvertedData {
  readonly text: string;
  readonly warnings: readonly DataProblem[];
}

/** Converts texts that are too large for one turn of the event loop, or whose parser is too large for the extension. */
export interface DataConverter {
  /** @throws WorkLimitError if the conversion takes too much time or memory */
  convert(data: DataText): Promise<Result<ConvertedData, DataProblem>>;
}
