/** Allows one run at a time to change a project, across all windows and programs on this machine that serve it. */
export interface RunLock {
  /** Acquires the lock for `runId`, or returns the run that holds it in any process. The lock of an ended process is free. */
  take(runId: string): Promise<HeldLock | { readonly holder: string }>;
  /** The run that currently holds the lock. */
  holder(): Promise<string | undefined>;
}

export interface HeldLock {
  readonly holder: undefined;
  release(): Promise<void>;
}
