/** A pull that cannot be written completely, so none of it is written. The message says why, and what to do next. */
export class CannotWriteError extends Error {}

/** A pull that the rules of the project exclude. It is skipped without a report. */
export class ExcludedByRule extends CannotWriteError {}
