import type { JsonObject } from './server-entry.ts';

export type AgentClientId = 'claude-code' | 'cursor' | 'windsurf';

/** Where things are on this machine; all paths absolute, with its own separators. */
export interface AgentPlaces {
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
  file(places: AgentPlaces): string;
  /** A folder that is there when the client is; `undefined` where nothing shows it, so that it is always offered. */
  proof(places: AgentPlaces): string | undefined;
  /** Whether the file belongs to the project, so that the entry must hold on other machines too. */
  readonly isShared: boolean;
  entry(places: AgentPlaces): JsonObject;
}

const join = (platform: string, ...parts: readonly string[]): string => parts.join(platform === 'win32' ? '\\' : '/');

/** `path` as a file that is shared may say it: from the user's own folder, which `variable` names. */
function fromHome({ launcher, home }: AgentPlaces, variable: string): string {
  return launcher.startsWith(home) ? `${variable}${launcher.slice(home.length)}` : launcher;
}

export const agentClients: readonly AgentClient[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    isShared: true,
    file: ({ folder, platform }) => join(platform, folder, '.mcp.json'),
    proof: () => undefined,
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
    proof: ({ home, platform }) => join(platform, home, '.cursor'),
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
    proof: ({ home, platform }) => join(platform, home, '.codeium', 'windsurf'),
    entry: ({ launcher }) => ({ command: launcher, args: ['mcp'] }),
  },
];
