import { AppError } from '../../base/errors.ts';
import type { PluginFiles } from '../../ports/plugin-files.ts';
import { AgentReceipt } from '../../protocol/agent-receipt.ts';
import { type AgentClient, type AgentClientId, agentClients, type AgentPaths } from './agent-clients.ts';
import { emptyFile, entryState, type EntryState, withEntry, withoutEntry } from './server-entry.ts';

export interface AgentState {
  readonly client: AgentClient;
  /** Absolute path of its config file. */
  readonly file: string;
  /** `missing`: the client is not installed on this machine. */
  readonly state: EntryState | 'missing';
}

/** A planned edit of a config file. The user confirms exactly this diff. */
export interface AgentPlan {
  readonly client: AgentClientId;
  readonly title: string;
  readonly file: string;
  /** `undefined`: the file does not exist before, or is deleted. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The paths that the plan was made with. */
  readonly paths: AgentPaths;
}

/** The result of removing all entries. */
export interface AgentRemoval {
  /** The plans that changed a file. */
  readonly removed: readonly AgentPlan[];
  /** The entries that could not be removed. They stay in the receipt. */
  readonly kept: readonly { readonly client: AgentClientId; readonly file: string; readonly reason: AppError }[];
}

export interface AgentConnectionsDeps {
  /** File access, with the receipt of this module. */
  readonly files: PluginFiles;
  readonly paths: () => AgentPaths;
}

/** Adds and removes the Atlas Bridge entry in the config files of agents. Never changes anything else in them. */
export interface AgentConnections {
  list(): Promise<readonly AgentState[]>;
  /** @throws AppError AGENT_FILE_UNREADABLE, AGENT_ENTRY_FOREIGN */
  planConnect(id: AgentClientId): Promise<AgentPlan>;
  /** @throws AppError AGENT_FILE_UNREADABLE, AGENT_ENTRY_FOREIGN */
  planDisconnect(id: AgentClientId): Promise<AgentPlan>;
  /** Writes the planned content and verifies it. @throws AppError FILE_CHANGED, FS_WRITE_FAILED */
  apply(plan: AgentPlan): Promise<void>;
  /** Removes every entry that Atlas Bridge wrote. An entry that cannot be removed never prevents the removal of the others. */
  removeAll(): Promise<AgentRemoval>;
}

export function createAgentConnections({ files, paths: currentPaths }: AgentConnectionsDeps): AgentConnections {
  const textOf = async (file: string): Promise<string | undefined> => {
    try {
      return decode(await files.read(file));
    } catch (error) {
      throw new AppError('AGENT_FILE_UNREADABLE', { file }, { cause: error });
    }
  };
  const stateOf = async (client: AgentClient, file: string, paths: AgentPaths): Promise<AgentState['state']> => {
    try {
      const text = await textOf(file);
      const folder = client.installFolder(paths);
      const isInstalled = text !== undefined || folder === undefined || (await files.isFolder(folder));
      return isInstalled ? entryState(text, client.entry(paths), client.location(paths)) : 'missing';
    } catch (error) {
      if (AppError.is(error, 'AGENT_FILE_UNREADABLE')) return 'unreadable';
      throw error;
    }
  };
  const readReceipt = async (): Promise<AgentReceipt> => {
    const read = AgentReceipt.safeParse(await files.receipt());
    // Without a readable receipt, no entry is known.
    return read.success ? read.data : { entries: [] };
  };
  const planRemoval = async (client: AgentClient, paths: AgentPaths, created: boolean): Promise<AgentPlan> => {
    const file = client.file(paths);
    const at = client.location(paths);
    const before = await textOf(file);
    const plan = { client: client.id, title: client.title, file, before, paths };
    const state = entryState(before, client.entry(paths), at);
    if (before === undefined || state === 'absent') return { ...plan, after: before };
    refuse(state, file);
    const after = withoutEntry(before, at);
    return { ...plan, after: after === undefined && !created ? emptyFile(at) : after };
  };

  const connections: AgentConnections = {
    async list() {
      const paths = currentPaths();
      return Promise.all(
        agentClients.map(async (client): Promise<AgentState> => {
          const file = client.file(paths);
          return { client, file, state: await stateOf(client, file, paths) };
        }),
      );
    },
    async planConnect(id) {
      const client = clientOf(id);
      const paths = currentPaths();
      const file = client.file(paths);
      const at = client.location(paths);
      const before = await textOf(file);
      const entry = client.entry(paths);
      const state = entryState(before, entry, at);
      refuse(state, file);
      const after = state === 'connected' ? before : withEntry(before, entry, at);
      return { client: id, title: client.title, file, before, after, paths };
    },
    async planDisconnect(id) {
      const client = clientOf(id);
      const paths = currentPaths();
      const { file, folder } = keyOf(client, paths);
      const known = (await readReceipt()).entries.find(entry => entry.file === file && entry.folder === folder);
      return planRemoval(client, paths, known?.created === true);
    },
    async apply({ client: id, file, before, after, paths }) {
      const bytes = await files.read(file);
      if (decode(bytes) !== before) throw new AppError('FILE_CHANGED', { file });
      const client = clientOf(id);
      const key = keyOf(client, paths);
      const { entries } = await readReceipt();
      const isThis = (entry: (typeof entries)[number]): boolean => entry.file === file && entry.folder === key.folder;
      const others = entries.filter(entry => !isThis(entry));
      const known = entries.find(isThis);
      const isConnected = after !== undefined && entryState(after, {}, client.location(paths)) !== 'absent';
      const created = known?.created ?? before === undefined;
      // Write the receipt before the file, so that a crash in between cannot leave an unrecorded entry.
      if (isConnected) await files.saveReceipt({ entries: [...others, { client: id, created, ...key }] });
      if (after === undefined) {
        const isRemoved =
          bytes === undefined ? (await files.read(file)) === undefined : await files.remove(file, bytes);
        if (!isRemoved) throw new AppError('FILE_CHANGED', { file });
      } else if (after !== before && !(await files.replace(file, new TextEncoder().encode(after), bytes))) {
        // The client has written its file meanwhile.
        await files.saveReceipt({ entries });
        throw new AppError('FILE_CHANGED', { file });
      }
      if ((await textOf(file)) !== after)
        throw new AppError('FS_WRITE_FAILED', { file, reason: 'the saved file has different content' });
      if (!isConnected) await files.saveReceipt({ entries: others });
    },
    async removeAll() {
      const removed: AgentPlan[] = [];
      const kept: AgentRemoval['kept'][number][] = [];
      for (const { client, file, created, folder } of (await readReceipt()).entries) {
        const known = agentClients.find(one => one.id === client);
        if (known === undefined) continue;
        const paths = folderOf(known, file, { ...currentPaths(), ...(folder === undefined ? {} : { folder }) });
        if (paths === undefined) continue;
        try {
          const plan = await planRemoval(known, paths, created);
          await connections.apply(plan);
          if (plan.after !== plan.before) removed.push(plan);
        } catch (error) {
          kept.push({ client: known.id, file, reason: AppError.from(error) });
        }
      }
      return { removed, kept };
    },
  };
  return connections;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The exact text, because all of it except the entry is written back. @throws TypeError for bytes that are not UTF-8 */
const decode = (bytes: Uint8Array | undefined): string | undefined => bytes && utf8.decode(bytes);

/** Identifies an entry in the receipt. */
const keyOf = (client: AgentClient, paths: AgentPaths): { readonly file: string; readonly folder?: string } => ({
  file: client.file(paths),
  ...(client.hasEntryPerFolder === true ? { folder: paths.folder } : {}),
});

/** The paths with the folder of a recorded file; `undefined` if the client now has another file. */
function folderOf(client: AgentClient, file: string, paths: AgentPaths): AgentPaths | undefined {
  if (client.file(paths) === file) return paths;
  // The file is in the folder, at a path that all folders share.
  const tail = client.file({ ...paths, folder: '' });
  const found = { ...paths, folder: file.slice(0, -tail.length) };
  return file.endsWith(tail) && client.file(found) === file ? found : undefined;
}

function clientOf(id: AgentClientId): AgentClient {
  const client = agentClients.find(one => one.id === id);
  if (client === undefined) throw new Error(`unknown agent client ${id}`);
  return client;
}

function refuse(state: EntryState, file: string): void {
  if (state === 'unreadable') throw new AppError('AGENT_FILE_UNREADABLE', { file });
  if (state === 'foreign') throw new AppError('AGENT_ENTRY_FOREIGN', { file });
}
