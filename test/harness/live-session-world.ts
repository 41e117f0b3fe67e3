import { nodeHasher } from '../../src/adapters/node/hasher.ts';
import { Emitter } from '../../src/base/emitter.ts';
import type { LiveBase } from '../../src/studio/live/live-base.ts';
import { LiveSession, type LiveSessionState } from '../../src/studio/live/live-session.ts';
import type { UnreadableLive } from '../../src/studio/studio-link.ts';
import { serveProject } from '../../src/studio/served-project.ts';
import { createFileTransactions } from '../../src/sync/transactions/file-transactions.ts';
import { PushJournal } from '../../src/studio/live/push-journal.ts';
import { WrittenEdits } from '../../src/studio/live/written-edits.ts';
import type { LiveFromPlugin, LiveToPlugin } from '../../src/protocol/studio/live.ts';
import { defaultSettings } from './default-settings.ts';
import { FakeGit } from './fake-git.ts';
import { MemoryJournalStore } from './memory-journal-store.ts';
import { memoryLog } from './memory-log.ts';
import { openProject, smallProject } from './project-world.ts';
import { reflection } from './reflection.ts';
import { sequentialRandom } from './sequential-random.ts';
import { settle } from './settle.ts';
import { formatSentence } from '../../src/base/sentence.ts';

/** A live session with a project, whose messages to Studio are recorded and whose messages from Studio a test fires. */
export async function liveSessionWorld({
  mode = 'twoWay',
  base,
  files = smallProject({ 'src/A.luau': '0' }),
}: {
  readonly mode?: 'twoWay' | 'diskToStudio';
  readonly base?: LiveBase;
  readonly files?: Readonly<Record<string, string>>;
} = {}) {
  const project = await openProject(files);
  const log = memoryLog();
  const shared = { clock: project.clock, hasher: nodeHasher, log, random: sequentialRandom(), reflection };
  const stores = { files: project.files, journal: new MemoryJournalStore() };
  const limits = () => ({ maxBytes: 1e9, maxDays: 1 });
  const served = serveProject(project.session, {
    ...shared,
    ...stores,
    git: new FakeGit(),
    sessionId: 'session',
  });
  const sent: LiveToPlugin[] = [];
  const message = new Emitter<LiveFromPlugin>();
  const unreadable = new Emitter<UnreadableLive>();
  const closed = new Emitter<{ readonly reason: string }>();
  const needed: string[] = [];
  /** The kind and the paths of each transaction with changes of the structure. */
  const structure: (readonly string[])[] = [];
  /** Called with the next messages, and may throw. */
  const faults: ((message: LiveToPlugin) => void)[] = [];
  let starts = 0;
  const states: LiveSessionState['kind'][] = [];
  const session = new LiveSession({
    ...shared,
    served,
    pushes: new PushJournal({
      ...shared,
      ...stores,
      settings: defaultSettings(),
      session: project.session,
      place: 'Place',
    }),
    written: new WrittenEdits(nodeHasher),
    mode,
    base,
    nextStart: () => (starts += 1),
    settings: defaultSettings(),
    channel: {
      send: async one => {
        faults.shift()?.(one);
        sent.push(one);
      },
      onMessage: message.event,
      onUnreadable: unreadable.event,
      appliesAtStart: false,
      onClosed: closed.event,
    },
    files: project.files,
    transactions: createFileTransactions({ ...shared, ...stores, limits }),
    onStructure: ({ kind, paths }) => structure.push([kind, ...paths]),
    onSynced: () => {},
    needsSync: reason => needed.push(formatSentence(reason)),
    onState: state => states.push(state.kind),
  });
  const save = async (text: string): Promise<void> => {
    project.files.set('src/A.luau', text);
    await project.refresh();
    // The change is recorded before it is sent.
    await settle();
  };
  const sourcesSent = (): readonly unknown[] =>
    sent.flatMap(one =>
      one.type === 'livePatch' ? one.message.updated.map(update => update.changedProperties['Source']) : [],
    );
  return {
    ...project,
    sourcesSent,
    /** The lines of the log. */
    lines: log.lines,
    served,
    journal: stores.journal,
    session,
    sent,
    message,
    unreadable,
    closed,
    needed,
    structure,
    states,
    save,
    faults,
  };
}
