/** The start data of the language thread. */
export interface LanguageThreadOptions {
  /** The project folder, absolute; undefined for documents outside of projects. */
  readonly folder: string | undefined;
}
