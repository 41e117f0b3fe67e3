// The declarations of the package include those of Node, which the pure layers must not use: tsconfig.json maps to these instead.

export interface Options {
  readonly bom?: boolean;
  readonly record_delimiter?: readonly string[];
  readonly skip_empty_lines?: boolean;
}

export function parse(text: string, options: Options): string[][];

export class CsvError extends Error {
  readonly code: string;
  /** The line at which the parser failed, from 1. */
  readonly lines?: number;
}
