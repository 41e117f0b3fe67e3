import type { JsonObject } from './server-entry.ts';

export type AgentClientId = 'claude-code' | 'cursor' | 'windsurf';

/** Where things are on this machine; all paths absolute, with its own separators. */
export interface AgentPaths {
  /** The workspace folder that agents are to work in. */
  readonly folder: string;
  readonly home: string;
  /** The program that `atlas-bridge` is on this machine. */
  readonly launcher: string;
  readonly platform: string;
}

/** An agent that reads its MCP servers from a file. What VS Code's own chat needs, the extension gives it by itself. */
export interface AgentClient {
  readonly id: AgentClientId;
  /** As people know it. */
  readonly title: string;
  /** The file that names its servers, under `mcpServers`. */
  file(places: AgentPaths): string;
  /** A folder that is there when the client is; `undefined` where nothing shows it, so that it is always offered. */
  installFolder(places: AgentPaths): string | undefined;
  /** Whether the file belongs to the project, so that the entry must hold on other machines too. */
  readonly isShared: boolean;
  entry(places: AgentPaths): JsonObject;
}

const join = (platform: string, ...parts: readonly string[]): string => parts.join(platform === 'win32' ? '\\' : '/');

/** `path` as a file that is shared may say it: from the user's own folder, which `variable` names. */
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
