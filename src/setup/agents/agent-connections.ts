import { AppError } from '../../base/errors.ts';
import type { PluginFiles } from '../../ports/plugin-files.ts';
import { AgentReceipt } from '../../protocol/agent-receipt.ts';
import { type AgentClient, type AgentClientId, agentClients, type AgentPaths } from './agent-clients.ts';
import { entryState, type EntryState, withEntry, withoutEntry } from './server-entry.ts';

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
  /** Removes every entry that Atlas Bridge wrote. Returns the applied plans. @throws like `planDisconnect` and `apply` */
  removeAll(): Promise<readonly AgentPlan[]>;
}

export function createAgentConnections({ files, paths }: AgentConnectionsDeps): AgentConnections {
  const textOf = async (file: string): Promise<string | undefined> => {
    const bytes = await files.read(file);
    return bytes && new TextDecoder().decode(bytes);
  };
  const readReceipt = async (): Promise<AgentReceipt> => {
    const read = AgentReceipt.safeParse(await files.receipt());
    // Without a readable receipt, no entry is known.
    return read.success ? read.data : { entries: [] };
  };
  const planRemoval = async (client: AgentClient, file: string, created: boolean): Promise<AgentPlan> => {
    const before = await textOf(file);
    const plan = { client: client.id, title: client.title, file, before };
    const state = entryState(before, client.entry(paths()));
    if (before === undefined || state === 'absent') return { ...plan, after: before };
    refuse(state, file);
    const after = withoutEntry(before);
    return { ...plan, after: after === undefined && !created ? '{\n  "mcpServers": {}\n}\n' : after };
  };

  const connections: AgentConnections = {
    async list() {
      return Promise.all(
        agentClients.map(async (client): Promise<AgentState> => {
          const proof = client.installFolder(paths());
          const file = client.file(paths());
          const text = await textOf(file);
          const isHere = text !== undefined || proof === undefined || (await files.isFolder(proof));
          return { client, file, state: isHere ? entryState(text, client.entry(paths())) : 'missing' };
        }),
      );
    },
    async planConnect(id) {
      const client = clientOf(id);
      const file = client.file(paths());
      const before = await textOf(file);
      const entry = client.entry(paths());
      const state = entryState(before, entry);
      refuse(state, file);
      const after = state === 'connected' ? before : withEntry(before, entry);
      return { client: id, title: client.title, file, before, after };
    },
    async planDisconnect(id) {
      const client = clientOf(id);
      const file = client.file(paths());
      const known = (await readReceipt()).entries.find(entry => entry.file === file);
      return planRemoval(client, file, known?.created === true);
    },
    async apply({ client, file, before, after }) {
      if ((await textOf(file)) !== before) throw new AppError('FILE_CHANGED', { file });
      const { entries } = await readReceipt();
      const others = entries.filter(entry => entry.file !== file);
      const known = entries.find(entry => entry.file === file);
      const isConnected = after !== undefined && entryState(after, {}) !== 'absent';
      const created = known?.created ?? before === undefined;
      // Write the receipt before the file, so that a crash in between cannot leave an unrecorded entry.
      if (isConnected) await files.saveReceipt({ entries: [...others, { client, file, created }] });
      if (after === undefined) {
        if (before !== undefined) await files.remove(file);
      } else if (after !== before) await files.write(file, new TextEncoder().encode(after));
      if ((await textOf(file)) !== after)
        throw new AppError('FS_WRITE_FAILED', { file, reason: 'the saved file has different content' });
      if (!isConnected) await files.saveReceipt({ entries: others });
    },
    async removeAll() {
      const done: AgentPlan[] = [];
      for (const { client, file, created } of (await readReceipt()).entries) {
        const known = agentClients.find(one => one.id === client);
        if (known === undefined) continue;
        const plan = await planRemoval(known, file, created);
        await connections.apply(plan);
        done.push(plan);
      }
      return done;
    },
  };
  return connections;
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
