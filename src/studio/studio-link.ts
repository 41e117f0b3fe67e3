import type { Event } from '../base/emitter.ts';
import type { LiveFromPlugin, LiveToPlugin } from '../protocol/studio/live.ts';
import type { Found, Inspected, PlaceInstance, Selected } from '../protocol/studio/explorer.ts';
import type { ReadResponse } from '../protocol/studio/messages.ts';
import type { ReviewFromPlugin, ReviewToPlugin } from '../protocol/studio/review.ts';
import type { ComparedOverride } from '../protocol/studio/stream.ts';
import type {
  Applied,
  ApplyDecision,
  Compared,
  Hello,
  Instances,
  Script,
  TrackedProperties,
  Untracked,
  UntrackedCommand,
} from '../protocol/studio/stream.ts';

/** Identity of the Studio at the other end of a link. */
export interface StudioIdentity {
  /** Name for tools and people: `studio-1`. Stays the same when our plugin reconnects. */
  readonly handle: string;
  /** Number of the connection, starting at 1. */
  readonly epoch: number;
  readonly hello: Hello;
  /** Whether the plugin proved a key; false for one that was allowed without. */
  readonly isProved?: boolean;
}

/**
 * One connected Studio. Each method sends one command, never repeated after a reconnect, and resolves with its typed reply. Rejects with
 * STUDIO_NOT_RESPONDING (an apply timed out), STUDIO_BUSY (another command timed out), STUDIO_DISCONNECTED,
 * STUDIO_FAILED, STUDIO_UNSUPPORTED, or CANCELLED when `signal` aborts.
 */
export interface StudioLink extends StudioIdentity {
  isOpen(): boolean;
  /** Duration of the last round trip in milliseconds; `undefined` while unknown. */
  latencyMs?(): number | undefined;
  readonly onClosed: Event<{ readonly reason: string }>;
  /** Compares Studio with the tree, and changes neither. Studio keeps the comparison for the other methods until the next one. */
  compare(
    overrides: readonly ComparedOverride[],
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
    /** A tree to compare instead of the project's; the Studio must announce `otherTrees`. */
    tree?: { readonly rootId: string; readonly instances: ReadResponse['instances'] },
    /** Properties to compare although no file names them; the Studio must have `untracked`. */
    tracked?: readonly TrackedProperties[],
  ): Promise<Compared>;
  /** As `compare`, while another run uses its own comparison of this Studio; `undefined` if the plugin keeps only one comparison. */
  readonly compareAside?: StudioLink['compare'] | undefined;
  /** Finds the properties that no file names; `undefined` if the plugin cannot. */
  readonly untracked?:
    | ((command: Omit<UntrackedCommand, 'type' | 'requestId'>, signal: AbortSignal) => Promise<Untracked>)
    | undefined;
  /** Reads the current state of changes of a comparison. A reply that would be too large names the ids that it omits as `left`. */
  read(compareId: string, ids: readonly string[], signal: AbortSignal): Promise<Instances>;
  /** Applies decisions about a comparison. Studio checks the preconditions of each one together with its write. */
  apply(
    command: { readonly compareId: string; readonly runId: string; readonly decisions: readonly ApplyDecision[] },
    signal: AbortSignal,
    /** Called at most once, with a reply that arrives after the time limit. */
    onLate: (applied: Applied) => void,
    onProgress: (done: number, total: number) => void,
  ): Promise<Applied>;
  /** Reads a script. `names`: its path below the root, for a Studio that has not compared yet and announces `scriptsByPath`. */
  getScript(id: string, fromDraft: boolean, signal: AbortSignal, names: readonly string[] | undefined): Promise<Script>;
  /** `undefined` if the plugin cannot list its instances. */
  readonly explorer?: StudioExplorer | undefined;
  /** `undefined` if the plugin has no window for reviews, or has not proved a key. Only the person at this Studio may decide there. */
  readonly review?: ReviewChannel | undefined;
  /** `undefined` if the plugin does not support live sessions on this stream. */
  readonly live?: LiveChannel | undefined;
}

/** Reads the instances of one Studio for the Game view. Each method rejects as those of `StudioLink`. */
export interface StudioExplorer {
  /** The children in Studio's order; those of the place without an id. */
  children(id: string | undefined, signal: AbortSignal): Promise<readonly PlaceInstance[]>;
  /** Instances at and below `roots` whose name or class contains every word, parents before children. `words`: in lower case. */
  find(
    query: { readonly words: readonly string[]; readonly roots: readonly string[]; readonly limit: number },
    signal: AbortSignal,
  ): Promise<Found>;
  inspect(id: string, signal: AbortSignal): Promise<Inspected>;
  /** Selects the instance in Studio. Resolves after Studio confirmed the selection. */
  select(id: string, signal: AbortSignal): Promise<Selected>;
  /** Fires with the ids of instances whose listed children changed; an empty id is the place. */
  readonly onDidChangeChildren: Event<readonly string[]>;
}

/**
 * A message of a live session that cannot be read. `seq`: it is a change, and the plugin awaits its answer. The type `failed`: the plugin
 * could not send it.
 */
export interface UnreadableLive {
  readonly type: string;
  readonly seq?: number | undefined;
  readonly isOversized?: boolean;
}

/** The messages of a live session, sent and received without waiting for a reply. */
export interface LiveChannel {
  /** Resolves when the message is sent. */
  send(message: LiveToPlugin): Promise<void>;
  readonly onMessage: Event<LiveFromPlugin>;
  readonly onUnreadable: Event<UnreadableLive>;
  /** Whether the plugin, an older one, applies texts that changed on disk only when a session starts. */
  readonly appliesAtStart: boolean;
  readonly onClosed: Event<{ readonly reason: string }>;
}

/** The messages of reviews, sent and received without waiting for a reply. */
export interface ReviewChannel {
  send(message: ReviewToPlugin): void;
  readonly onMessage: Event<ReviewFromPlugin>;
}

/** The connected Studios. */
export interface StudioDirectory {
  /** All connected Studios, in the order of their connection. */
  all(): readonly StudioLink[];
  /** Fires after a Studio connects or disconnects. */
  readonly onDidChange: Event<void>;
}
