import type { JsonObject } from './server-entry.ts';

export type AgentClientId = 'claude-code' | 'cursor' | 'windsurf';

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
  /** Its MCP config file, with the servers under `mcpServers`. */
  file(places: AgentPaths): string;
  /** A folder that exists if the client is installed; `undefined` if no folder shows it, so the client is always listed. */
  installFolder(places: AgentPaths): string | undefined;
  /** Whether the file is part of the project, so the entry must work on every machine of the team. */
  readonly isShared: boolean;
  entry(places: AgentPaths): JsonObject;
}

const join = (platform: string, ...parts: readonly string[]): string => parts.join(platform === 'win32' ? '\\' : '/');

/** The launcher path relative to the home folder, so that a shared file works for every user. `variable` is the client's syntax for it. */
function fromHome({ launcher, home }: AgentPaths, variable: string): string {
  return launcher.startsWith(home) ? `${variable}${launcher.slice(home.length)}` : launcher;
}

export const agentClients: readonly AgentClient[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    isShared: true,
    file: ({ folder, platform }) => join(platform, folder, '.mcp.json'),
    installFolder: () => undefined,
    entry: places => ({
      type: 'stdio',
      command: fromHome(places, places.platform === 'win32' ? '${USERPROFILE}' : '${HOME}'),
      args: ['mcp'],
    }),
  },
  {
    id: 'cursor',
    title: 'Cursor',
    isShared: true,
    file: ({ folder, platform }) => join(platform, folder, '.cursor', 'mcp.json'),
    installFolder: ({ home, platform }) => join(platform, home, '.cursor'),
    entry: places => ({
      command: fromHome(places, '${userHome}'),
      args: ['mcp', '--project', '${workspaceFolder}'],
    }),
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    isShared: false,
    file: ({ home, platform }) => join(platform, home, '.codeium', 'windsurf', 'mcp_config.json'),
    installFolder: ({ home, platform }) => join(platform, home, '.codeium', 'windsurf'),
    entry: ({ launcher }) => ({ command: launcher, args: ['mcp'] }),
  },
];
