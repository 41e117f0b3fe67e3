/** What a thread is started with. */
export interface LanguageThreadOptions {
  /** The project, absolute; undefined for documents that are in none. */
  readonly folder: string | undefined;
}
