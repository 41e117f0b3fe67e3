import type { Event } from '../base/emitter.ts';
import type { LiveFromPlugin, LiveToPlugin } from '../protocol/studio/live.ts';
import type { ReadResponse } from '../protocol/studio/messages.ts';
import type { SyncOverride } from '../protocol/sync.ts';
import type { Applied, ApplyDecision, Compared, Hello, Instances, Script } from '../protocol/studio/stream.ts';

/** Who is at the other end of a link. */
export interface StudioIdentity {
  /** What tools and people call it: `studio-1`. The same when our plugin connects again. */
  readonly handle: string;
  /** Counts the connections of this bridge, from 1. */
  readonly epoch: number;
  readonly hello: Hello;
}

/**
 * One connected Studio, as the core sees it. Each method sends one command and resolves with its typed reply; never a second time
 * after a reconnect. Rejects with STUDIO_NOT_RESPONDING (the named signal did not come in its budget), STUDIO_DISCONNECTED,
 * STUDIO_FAILED, STUDIO_UNSUPPORTED, or CANCELLED when `signal` aborts.
 */
export interface StudioLink extends StudioIdentity {
  isOpen(): boolean;
  /** Milliseconds that the last round trip took; `undefined` as long as that is not known. */
  latencyMs?(): number | undefined;
  readonly onClosed: Event<{ readonly reason: string }>;
  compare(
    overrides: readonly SyncOverride[],
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
    /** What is compared instead of the project's tree, for a Studio that announces `otherTrees`. */
    tree?: { readonly rootId: string; readonly instances: ReadResponse['instances'] },
  ): Promise<Compared>;
  read(compareId: string, ids: readonly string[], signal: AbortSignal): Promise<Instances>;
  apply(
    command: { readonly compareId: string; readonly runId: string; readonly decisions: readonly ApplyDecision[] },
    signal: AbortSignal,
    /** Called at most once, with the answer that came after the wait was given up. */
    onLate?: (applied: Applied) => void,
    onProgress?: (done: number, total: number) => void,
  ): Promise<Applied>;
  /** `names`: the way to it from below the root, for a Studio that has not compared yet and announces `scriptsByPath`. */
  getScript(id: string, fromDraft: boolean, signal: AbortSignal, names?: readonly string[]): Promise<Script>;
  /** `undefined` where the plugin cannot hold a live session on this stream. */
  readonly live?: LiveChannel | undefined;
}

/** The messages of a live session: sent and heard, never waited for. */
export interface LiveChannel {
  send(message: LiveToPlugin): void;
  readonly onMessage: Event<LiveFromPlugin>;
  readonly onClosed: Event<{ readonly reason: string }>;
}

/** Which Studios are connected. */
export interface StudioDirectory {
  /** In the order in which they came. */
  all(): readonly StudioLink[];
  /** Fires after one has come or gone. */
  readonly onDidChange: Event<void>;
}
