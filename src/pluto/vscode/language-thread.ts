import type { LanguageThreadOptions } from '../editor/language-messages.ts';
import type { PlutoLanguage } from '../editor/pluto-language.ts';
import { type Ask as AskOf, type AskedThread, startAskedThread } from '../../vscode/worker-rpc-client.ts';

/** A Pluto language that is in another thread. */
export type LanguageThread = AskedThread<PlutoLanguage>;
export type Ask = AskOf<PlutoLanguage>;

/** @param onFailure called once, when the thread has ended by itself and answers nothing more */
export const startLanguageThread = (
  worker: URL,
  workerData: LanguageThreadOptions,
  onFailure: (error: Error) => void,
): LanguageThread => startAskedThread(worker, { name: 'Pluto', workerData }, onFailure);
