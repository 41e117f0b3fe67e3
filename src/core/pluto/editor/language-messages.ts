import type { PlutoLanguage } from './pluto-language.ts';

/** One question over a thread's port, and its answer under the same id. */
export type Question = {
  readonly [N in keyof PlutoLanguage]: {
    readonly id: number;
    readonly name: N;
    readonly args: Parameters<PlutoLanguage[N]>[0];
  };
}[keyof PlutoLanguage];

export type Reply =
  | { readonly id: number; readonly ok: true; readonly answer: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string };

/** What a thread is started with. */
export interface LanguageThreadOptions {
  /** The project, absolute; undefined for documents that are in none. */
  readonly folder: string | undefined;
}
