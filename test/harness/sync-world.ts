import type { ProjectPath } from '../../src/base/brand.ts';
import { Emitter, type Event } from '../../src/base/emitter.ts';
import { formatResult } from '../../src/protocol/run-result.ts';
import { nodeHasher } from '../../src/adapters/node/hasher.ts';
import { nodeInflate } from '../../src/adapters/node/inflate.ts';
import { inProcessConverter } from '../../src/project/file-kinds/convert-data.ts';
import { createStudioDirectory, type OpenStudioDirectory } from '../../src/studio/studio-directory.ts';
import type { ProjectSession } from '../../src/project/project-session.ts';
import { createSyncEngine } from '../../src/sync/run/create-sync-engine.ts';
import { openProjectSession } from '../../src/project/session/open-project-session.ts';
import type { SyncEngine, SyncRequest } from '../../src/sync/sync-engine.ts';
import type { FileSystem } from '../../src/ports/file-system.ts';
import type { JournalStore } from '../../src/ports/journal-store.ts';
import type { BaseStore } from '../../src/ports/base-store.ts';
import type { TextStore } from '../../src/ports/text-store.ts';
import type { RunLock } from '../../src/ports/run-lock.ts';
import type { Random } from '../../src/ports/random.ts';
import type { ReviewDrafts } from '../../src/ports/review-drafts.ts';
import type { ReviewControl, ReviewSurface } from '../../src/ports/review-surface.ts';
import type { Settings } from '../../src/ports/settings.ts';
import type { SyncResult } from '../../src/protocol/sync-result.ts';
import { defaultSettings } from './default-settings.ts';
import { FaultyLink } from './faulty-channel.ts';
import { FakeGit, gitStatus } from './fake-git.ts';
import { FakeStudio, type PlaceInstance } from './fake-studio.ts';
import { ManualClock } from './manual-clock.ts';
import { memoryRunLock } from './memory-run-lock.ts';
import type { ScriptMerger } from '../../src/ports/script-merger.ts';
import { localMerger } from './local-merger.ts';
import { MemoryBaseStore } from './memory-base-store.ts';
import { MemoryFileSystem } from './memory-file-system.ts';
import { MemoryJournalStore } from './memory-journal-store.ts';
import { MemoryTextStore } from './memory-text-store.ts';
import { memoryLog } from './memory-log.ts';
import { instancesOf } from './project-world.ts';
import { reflection } from './reflection.ts';
import { sequentialRandom } from './sequential-random.ts';

export const projectFile = JSON.stringify({
  name: 'harbor',
  tree: {
    $className: 'DataModel',
    ServerScriptService: { $path: 'src' },
    ReplicatedStorage: { $path: 'shared' },
  },
});

/** A review surface that decides as soon as a review is shown. */
export type Person = (review: ReviewControl) => void;

export interface SyncWorld {
  readonly engine: SyncEngine;
  readonly files: MemoryFileSystem;
  readonly studio: FakeStudio;
  readonly studios: OpenStudioDirectory;
  /** The link between the bridge and `studio`. */
  readonly link: FaultyLink;
  readonly session: ProjectSession;
  readonly git: FakeGit;
  readonly clock: ManualClock;
  readonly journal: MemoryJournalStore;
  /** Empty when the world was given other files. */
  readonly bases: MemoryBaseStore;
  /** The reviews shown so far, in order. */
  readonly reviews: ReviewControl[];
  sync(request?: Partial<SyncRequest>): Promise<SyncResult>;
  /** Fired by a test for an HTTP request of an unmodified plugin. */
  readonly pluginRequest: Emitter<void>;
  /** Connects another Studio, by default with the instances of `studio`. */
  join(
    place?: Record<string, PlaceInstance>,
    hello?: object,
  ): { readonly studio: FakeStudio; readonly link: FaultyLink };
  /** The id of the change at a path, from a dry run. */
  idOf(path: string): Promise<string>;
}

export interface WorldParts {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly place?: Record<string, PlaceInstance>;
  readonly git?: Parameters<typeof gitStatus>[0] | 'none';
  readonly settings?: Partial<Settings>;
  readonly person?: Person;
  readonly connected?: boolean;
  readonly clock?: ManualClock;
  /** A file system to use instead of the one in memory; `files` is then unused. */
  readonly disk?: FileSystem;
  /** A journal to use instead of the one in memory. */
  readonly journalStore?: JournalStore;
  /** The state of an earlier world. */
  readonly bases?: BaseStore;
  readonly texts?: TextStore;
  readonly merger?: ScriptMerger;
  /** The lock of another window of the project. */
  readonly runLock?: RunLock;
  /** Continues the ids of an earlier world. */
  readonly random?: Random;
  /** The review drafts of an earlier window. */
  readonly drafts?: ReviewDrafts;
  /** The files with unsaved edits in an editor. */
  readonly unsavedFiles?: () => ReadonlySet<ProjectPath>;
  readonly onDidChangeUnsaved?: Event<void>;
  /** Number of changes of runs that the engine remembers. */
  readonly maxChanges?: number;
}

/** A project in memory, a fake Studio and the real engine between them. */
export async function syncWorld(parts: WorldParts = {}): Promise<SyncWorld> {
  const clock = parts.clock ?? new ManualClock();
  const log = memoryLog();
  const random = parts.random ?? sequentialRandom();
  const settings = defaultSettings(parts.settings);
  const files = new MemoryFileSystem({
    'default.project.json': projectFile,
    'src/': '',
    'shared/': '',
    ...parts.files,
  });
  const disk = parts.disk ?? files;
  const ports = {
    files: disk,
    watcher: files,
    clock,
    random,
    hasher: nodeHasher,
    inflate: nodeInflate,
    converter: inProcessConverter,
    reflection,
    log,
  };
  const session = await openProjectSession(ports, new AbortController().signal);
  const readTree = () => ({
    sessionId: 'session',
    messageCursor: session.revision(),
    instances: instancesOf(session, [session.rootId]),
  });
  const studio = new FakeStudio(readTree, {
    ServerScriptService: { className: 'ServerScriptService' },
    ReplicatedStorage: { className: 'ReplicatedStorage' },
    ...parts.place,
  });
  const pluginRequest = new Emitter<void>();
  const studios = createStudioDirectory({
    clock,
    random,
    settings,
    log,
    sessionId: 'session',
    project: () => session.info,
    legacy: {
      session: () => session,
      hasher: nodeHasher,
      lastRead: () => session.revision(),
      onRequest: pluginRequest.event,
    },
  });
  const link = new FaultyLink(studio.channel);
  if (parts.connected !== false) {
    studios.accept(link.channel);
    studio.hello();
  }
  const join = (place: Record<string, PlaceInstance> = Object.fromEntries(studio.place), hello: object = {}) => {
    const other = new FakeStudio(readTree, place);
    const otherLink = new FaultyLink(other.channel);
    studios.accept(otherLink.channel);
    other.hello(hello);
    return { studio: other, link: otherLink };
  };
  const reviews: ReviewControl[] = [];
  const { person } = parts;
  const reviewSurface: ReviewSurface = {
    drafts: parts.drafts,
    async show(review) {
      reviews.push(review);
      person?.(review);
    },
  };
  const git = new FakeGit(parts.git === 'none' ? undefined : gitStatus(parts.git ?? {}));
  const texts = parts.texts ?? new MemoryTextStore();
  const journal = new MemoryJournalStore(texts);
  const bases = new MemoryBaseStore();
  const engine = createSyncEngine(
    {
      project: () => session,
      studios,
      studioUrl: () => 'http://127.0.0.1:34873',
      files: disk,
      git,
      hasher: nodeHasher,
      journal: parts.journalStore ?? journal,
      bases: parts.bases ?? bases,
      texts,
      merger: parts.merger ?? localMerger,
      runLock: parts.runLock ?? memoryRunLock(),
      clock,
      random,
      settings,
      reflection,
      log,
      reviewSurface,
      unsavedFiles: parts.unsavedFiles,
      onDidChangeUnsaved: parts.onDidChangeUnsaved,
    },
    parts.maxChanges,
  );
  const sync = async (request: Partial<SyncRequest> = {}): Promise<SyncResult> =>
    formatResult(await engine.start({ mode: 'standard', overrides: [], requestedBy: 'test', ...request }).result);
  const idOf = async (path: string): Promise<string> => {
    const { changes } = await sync({ mode: 'dryrun' });
    const change = changes.find(candidate => candidate.path === path);
    if (change === undefined) throw new Error(`no change at ${path}; there are ${changes.map(c => c.path).join(', ')}`);
    return change.id;
  };
  return {
    pluginRequest,
    engine,
    files,
    studio,
    studios,
    link,
    join,
    session,
    git,
    clock,
    journal,
    bases,
    reviews,
    sync,
    idOf,
  };
}

export const main = 'ServerScriptService/Main';
export const mainFile = 'src/Main.server.luau';
/** One script that differs, without git information. */
export const differing: WorldParts = {
  files: { [mainFile]: 'print("disk")\n' },
  place: { [main]: { className: 'Script', source: 'print("Studio")\n' } },
  git: 'none',
};
