// The package's own declarations bring all of Node's along, which the pure layers must not see: tsconfig.json maps to these instead.

export interface Options {
  readonly bom?: boolean;
  readonly record_delimiter?: readonly string[];
  readonly skip_empty_lines?: boolean;
}

export function parse(text: string, options: Options): string[][];

export class CsvError extends Error {
  readonly code: string;
  /** The line that was being read, from 1. */
  readonly lines?: number;
}
