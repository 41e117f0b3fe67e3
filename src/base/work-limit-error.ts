/** A limit of work in a thread. */
export type WorkLimit =
  | { readonly kind: 'time'; readonly seconds: number }
  | { readonly kind: 'memory'; readonly megabytes: number };

/** Work in a thread ended, because it exceeded a limit. Other failures of the thread are ordinary errors. */
export class WorkLimitError extends Error {
  readonly limit: WorkLimit;

  constructor(limit: WorkLimit) {
    super(
      limit.kind === 'time'
        ? `the work took longer than ${limit.seconds} s`
        : `the work took more than ${limit.megabytes} MB of memory`,
    );
    this.name = 'WorkLimitError';
    this.limit = limit;
  }
}
