import type { ProjectPath } from '../../src/base/brand.ts';
import { say } from '../../src/base/sentence.ts';
import { toErrorBody } from '../../src/protocol/error-body.ts';
import { AppError } from '../../src/base/errors.ts';
import { Emitter } from '../../src/base/emitter.ts';
import type {
  RunPhase,
  RunProgress,
  ScriptRequest,
  ScriptMerge,
  ScriptText,
  SyncEngine,
  SyncRequest,
  SyncRun,
} from '../../src/sync/sync-engine.ts';
import type { RecordedResult, RunResult } from '../../src/protocol/run-result.ts';

/** A run that the test advances. */
export class FakeRun implements SyncRun {
  readonly runId: string;
  readonly isByAgent: boolean;
  readonly isDryRun: boolean;
  readonly request: SyncRequest;
  readonly result: Promise<RunResult>;
  readonly #end: (result: RunResult) => void;
  readonly #progress = new Emitter<RunProgress>();
  readonly onProgress = this.#progress.event;
  #phase: RunPhase = 'comparing';
  isCancelled = false;

  constructor(runId: string, request: SyncRequest) {
    this.runId = runId;
    this.isByAgent = request.client !== undefined;
    this.isDryRun = request.mode === 'dryrun';
    this.request = request;
    const { promise, resolve } = Promise.withResolvers<RunResult>();
    this.result = promise;
    this.#end = resolve;
  }

  #latest: RunResult | undefined;
  latest = (): RunResult | undefined => this.#latest;
  phase = (): RunPhase => this.#phase;
  studio = (): undefined => undefined;
  review = (): undefined => undefined;
  explain = (): undefined => undefined;

  progress(phase: RunPhase, message: string): void {
    this.#phase = phase;
    this.#progress.fire({ phase, message: say`${message}` });
  }

  end(result: Partial<RunResult> = {}): void {
    this.#phase = 'ended';
    this.#latest = {
      status: 'success',
      summary: 'Done.',
      runId: this.runId,
      outcome: 'done',
      elapsedMs: 0,
      changes: [],
      overrides: [],
      ...result,
    };
    this.#end(this.#latest);
  }

  cancel(): void {
    this.isCancelled = true;
    this.end({ status: 'cancelled', summary: 'Cancelled; nothing was applied.' });
  }
}

/** An engine that starts the requested runs and lets the test advance them. */
export class FakeEngine implements SyncEngine {
  readonly runs: FakeRun[] = [];
  readonly onDidChange = new Emitter<void>().event;
  readonly #started = new Emitter<FakeRun>();
  /** Fires when a run starts, before `start` returns. */
  readonly onStarted = this.#started.event;
  script: ScriptText | AppError = new AppError('STUDIO_NOT_CONNECTED', { studioUrl: 'http://127.0.0.1:1' });
  readonly scriptRequests: ScriptRequest[] = [];

  start(request: SyncRequest): SyncRun {
    const run = new FakeRun(`run-${this.runs.length + 1}`, request);
    this.runs.push(run);
    const { refusal } = request;
    if (refusal !== undefined) run.end({ status: 'error', summary: refusal.message, error: toErrorBody(refusal) });
    this.#started.fire(run);
    return run;
  }

  /** The ids that each client was shown, by run. */
  readonly seen: { readonly runId: string; readonly ids: readonly string[] }[] = [];
  async newFiles(): Promise<ReadonlyMap<string, ProjectPath>> {
    return new Map<string, ProjectPath>();
  }

  markSeen(runId: string, ids: ReadonlySet<string>): void {
    this.seen.push({ runId, ids: Array.from(ids) });
  }

  find = (runId: string): SyncRun | undefined => this.runs.find(run => run.runId === runId);
  current = (): SyncRun | undefined => this.runs.find(run => run.phase() !== 'ended');

  recordedRuns: RecordedResult[] = [];
  history = async (most: number): Promise<readonly RecordedResult[]> => this.recordedRuns.slice(0, most);
  recorded = async (runId: string): Promise<RecordedResult | undefined> =>
    this.recordedRuns.find(run => run.runId === runId);

  recordedDiffs = async (): Promise<readonly []> => [];

  readonly elsewhere = new Set<string>();
  isElsewhere = async (runId: string): Promise<boolean> => this.elsewhere.has(runId);
  runElsewhere = async (): Promise<string | undefined> => Array.from(this.elsewhere)[0];

  merge: ScriptMerge | AppError = new AppError('STUDIO_NOT_CONNECTED', { studioUrl: 'http://127.0.0.1:1' });
  async readMerge(): Promise<ScriptMerge> {
    if (this.merge instanceof AppError) throw this.merge;
    return this.merge;
  }

  async readScript(request: ScriptRequest): Promise<ScriptText> {
    this.scriptRequests.push(request);
    if (this.script instanceof AppError) throw this.script;
    return this.script;
  }
}
