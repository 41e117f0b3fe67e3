import { type Reason, reasonText } from '../../protocol/reason.ts';

/** A pull that cannot be written completely, so none of it is written. */
export class CannotWriteError extends Error {
  /** Why, and what to do next. */
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reasonText(reason));
    this.reason = reason;
  }
}

/** A pull that the rules of the project exclude. It is skipped without a report. */
export class ExcludedByRule extends CannotWriteError {}

/** A file that cannot be written with the changes of all pulls together, so each of its pulls is refused. */
export class WholeFileRefused extends CannotWriteError {}
