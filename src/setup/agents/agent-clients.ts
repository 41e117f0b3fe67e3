import type { EntryLocation } from './server-entry.ts';
import type { JsonObject } from './server-name.ts';

export type AgentClientId = 'claude-code' | 'cursor' | 'windsurf' | 'codex' | 'gemini-cli' | 'zed';

/** Paths on this machine, absolute and with native separators. */
export interface AgentPaths {
  /** The workspace folder in which agents work. */
  readonly folder: string;
  readonly home: string;
  /** The path of the `atlas-bridge` launcher. */
  readonly launcher: string;
  readonly platform: string;
}

/** An agent that reads its MCP servers from a file. VS Code's own chat needs no file. */
export interface AgentClient {
  readonly id: AgentClientId;
  /** Display name. */
  readonly title: string;
  /** Its MCP config file. */
  file(paths: AgentPaths): string;
  /** Where the file has the servers. */
  location(paths: AgentPaths): EntryLocation;
  /** A folder that exists if the client is installed; `undefined` if there is none, so that the client is always listed. */
  installFolder(paths: AgentPaths): string | undefined;
  entry(paths: AgentPaths): JsonObject;
  /** Set if one file has a separate entry for each folder. */
  readonly hasEntryPerFolder?: true;
}

const join = (platform: string, ...parts: readonly string[]): string => parts.join(platform === 'win32' ? '\\' : '/');

/** The launcher path relative to the home folder, so that a shared file works for every user. `variable` is the client's syntax for it. */
function fromHome({ launcher, home, platform }: AgentPaths, variable: string): string {
  return launcher.startsWith(join(platform, home, '')) ? `${variable}${launcher.slice(home.length)}` : launcher;
}

const underMcpServers = (): EntryLocation => ({ format: 'json', path: ['mcpServers'] });

export const agentClients: readonly AgentClient[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    // Not the .mcp.json of the folder: VS Code reads that file too, and would start a second server that fails on its variables.
    file: ({ home, platform }) => join(platform, home, '.claude.json'),
    location: ({ folder, platform }) => ({
      format: 'json',
      path: ['projects', platform === 'win32' ? folder.replaceAll('\\', '/') : folder, 'mcpServers'],
    }),
    installFolder: () => undefined,
    entry: ({ launcher }) => ({ type: 'stdio', command: launcher, args: ['mcp'] }),
    hasEntryPerFolder: true,
  },
  {
    id: 'cursor',
    title: 'Cursor',
    file: ({ folder, platform }) => join(platform, folder, '.cursor', 'mcp.json'),
    location: underMcpServers,
    installFolder: ({ home, platform }) => join(platform, home, '.cursor'),
    entry: paths => ({
      command: fromHome(paths, '${userHome}'),
      args: ['mcp', '--project', '${workspaceFolder}'],
    }),
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    file: ({ home, platform }) => join(platform, home, '.codeium', 'windsurf', 'mcp_config.json'),
    location: underMcpServers,
    installFolder: ({ home, platform }) => join(platform, home, '.codeium', 'windsurf'),
    entry: ({ launcher }) => ({ command: launcher, args: ['mcp'] }),
  },
  {
    id: 'codex',
    title: 'Codex',
    file: ({ home, platform }) => join(platform, home, '.codex', 'config.toml'),
    location: () => ({ format: 'toml', table: 'mcp_servers' }),
    installFolder: ({ home, platform }) => join(platform, home, '.codex'),
    entry: ({ launcher }) => ({ command: launcher, args: ['mcp'] }),
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    file: ({ folder, platform }) => join(platform, folder, '.gemini', 'settings.json'),
    location: underMcpServers,
    installFolder: ({ home, platform }) => join(platform, home, '.gemini'),
    entry: paths => ({
      command: fromHome(paths, paths.platform === 'win32' ? '${USERPROFILE}' : '${HOME}'),
      args: ['mcp'],
    }),
  },
  {
    id: 'zed',
    title: 'Zed',
    file: ({ home, platform }) =>
      platform === 'win32'
        ? join(platform, home, 'AppData', 'Roaming', 'Zed', 'settings.json')
        : join(platform, home, '.config', 'zed', 'settings.json'),
    location: () => ({ format: 'json', path: ['context_servers'] }),
    installFolder: ({ home, platform }) =>
      platform === 'win32' ? join(platform, home, 'AppData', 'Roaming', 'Zed') : join(platform, home, '.config', 'zed'),
    entry: ({ launcher }) => ({ source: 'custom', command: launcher, args: ['mcp'] }),
  },
];
