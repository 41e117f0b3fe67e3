import type { Span } from './span.ts';

/** `hint` is shown to people and agents, and never makes a check fail. */
export type Severity = 'error' | 'warning' | 'hint';

/**
 * One finding in one module. `code` is kebab-case, from the catalog of the stage that found it, and never changes its meaning; `message`
 * describes the problem and, if that is not obvious, the correction.
 */
export interface Diagnostic<Code extends string = string> {
  readonly severity: Severity;
  readonly code: Code;
  readonly message: string;
  readonly span: Span;
}
