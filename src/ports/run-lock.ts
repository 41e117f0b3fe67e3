/** Says which run may change a project, over all windows and programs of this machine that serve it. */
export interface RunLock {
  /** Takes it for `runId`, or says which run has it, in whatever process. What a process had is free when it is gone. */
  take(runId: string): Promise<TakenLock | { readonly holder: string }>;
  /** The run that has it now. */
  holder(): Promise<string | undefined>;
}

export interface TakenLock {
  readonly holder: undefined;
  release(): Promise<void>;
}
