import type { Sentence } from './sentence.ts';

/** What an agent should do about a failure: `docs/errors.md`. */
export type Retry = 'no' | 'same' | 'reread' | 'wait' | 'ask' | 'after_reconnect' | 'ask_user_again';

/** One code of the catalogue: its sentence, the next step, and whether the same call may succeed later. */
export interface CatalogueRow<D> {
  message(details: D): Sentence;
  readonly hint: string;
  /** The next step of a person in VS Code, where `hint` speaks of tools and arguments. */
  readonly personHint?: string;
  /** The same at the command line. */
  readonly commandHint?: string;
  readonly retry: Retry;
}
