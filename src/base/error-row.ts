import type { Sentence } from './sentence.ts';

/** Whether and when an agent should repeat a failed call; `docs/errors.md` explains the values. */
export type Retry = 'no' | 'same' | 'reread' | 'wait' | 'ask' | 'after_reconnect' | 'ask_user_again';

/** The next steps after a failure, for each reader. */
export interface NextSteps {
  readonly hint: string;
  /** The next step for a person in VS Code, if `hint` mentions tools or arguments. */
  readonly personHint?: string;
  /** The next step for a user of the command line. */
  readonly commandHint?: string;
}

/** One entry of the error catalog: its message, the next step, and whether the same call may succeed later. */
export interface CatalogRow<D> extends NextSteps {
  message(details: D): Sentence;
  /** The next steps for details that require others. */
  stepsFor?(details: D): NextSteps | undefined;
  readonly retry: Retry;
}
