import type { Sentence } from './sentence.ts';

/** Whether and when an agent should repeat a failed call; `docs/errors.md` explains the values. */
export type Retry = 'no' | 'same' | 'reread' | 'wait' | 'ask' | 'after_reconnect' | 'ask_user_again';

/** One entry of the error catalog: its message, the next step, and whether the same call may succeed later. */
export interface CatalogRow<D> {
  message(details: D): Sentence;
  readonly hint: string;
  /** The next step for a person in VS Code, if `hint` mentions tools or arguments. */
  readonly personHint?: string;
  /** The next step for a user of the command line. */
  readonly commandHint?: string;
  readonly retry: Retry;
}
