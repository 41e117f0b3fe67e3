/** A half-open range of UTF-16 code units in the text of one module. Every node is a span. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A position for people and editors: one-based, columns in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A span in UTF-8 bytes, as containers and tools use it. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}
