import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { installedStudioKey } from '../../src/adapters/node/json-studio-keys.ts';
import { announceBridge } from '../../src/adapters/node/announced-bridges.ts';
import type { AnnouncedBridge } from '../../src/protocol/announced-bridge.ts';
import type { TestBridge } from './start-bridge.ts';
import { cliEntry } from './cli-entry.ts';
import { ownPort } from './own-port.ts';

export const project = { name: 'harbor', tree: { $className: 'DataModel', Workspace: { $className: 'Workspace' } } };

/** A project folder, a state folder, and clients that start `atlas-bridge mcp` in `src` of the project. */
export async function mcpWorld(files: Readonly<Record<string, string>> = {}) {
  const home = await mkdtemp(join(tmpdir(), 'atlas-relay-'));
  const folder = join(home, 'game');
  await mkdir(join(folder, 'src'), { recursive: true });
  const all = { 'game/default.project.json': JSON.stringify(project), ...files };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(join(home, path, '..'), { recursive: true });
    await writeFile(join(home, path), text);
  }
  // Another test must not take the address of a bridge that ended before the next program takes it over.
  const portArgs = ['--set', `port=${await ownPort()}`];
  const stateHome = join(home, 'state');
  const state = join(stateHome, 'atlas-bridge');
  const ends: (() => Promise<void>)[] = [() => rm(home, { recursive: true, force: true })];
  /** Starts `atlas-bridge mcp` and connects the client to it. */
  const start = async (client: Client, args: readonly string[]): Promise<StdioClientTransport> => {
    const { PATH = '' } = process.env;
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [cliEntry, 'mcp', ...portArgs, ...args],
      cwd: join(folder, 'src'),
      env: { PATH, XDG_STATE_HOME: stateHome },
      stderr: 'ignore',
    });
    await client.connect(transport);
    ends.push(() => client.close());
    return transport;
  };
  return {
    /** Reads the key that Studios prove to the bridges of these programs. */
    studioKey: installedStudioKey({ XDG_STATE_HOME: stateHome }),
    home,
    folder,
    state,
    stateHome,
    /** The arguments that these programs get, for a port that no other test file uses. */
    portArgs,
    start,
    async connect(...args: readonly string[]): Promise<Client> {
      const client = new Client({ name: 'claude-code', title: 'Claude Code', version: '2' });
      await start(client, args);
      return client;
    },
    /** Announces a bridge of this process as that of a VS Code window of the same user. */
    async announce(
      bridge: Pick<TestBridge, 'mcpUrl' | 'token'> & Partial<Pick<AnnouncedBridge, 'projectsUrl' | 'projectFile'>>,
    ): Promise<AsyncDisposable> {
      const { mcpUrl, token, projectsUrl, projectFile } = bridge;
      return announceBridge(state, {
        folder,
        mcpUrl,
        token,
        ...(projectsUrl !== undefined && { projectsUrl }),
        ...(projectFile !== undefined && { projectFile }),
        startedAt: new Date().toISOString(),
        program: 'vscode',
      });
    },
    async [Symbol.asyncDispose]() {
      for (const end of ends.toReversed()) await end();
    },
  };
}
