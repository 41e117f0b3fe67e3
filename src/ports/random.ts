/** Unpredictable ids. */
export interface Random {
  /** 32 lower-case hex digits. */
  ref(): string;
  /** A UUID v4, lower case, with hyphens. */
  uuid(): string;
}
