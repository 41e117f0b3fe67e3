import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorResponse } from '../protocol/studio/messages.ts';
import { WINDOW_PATH, type WindowState } from '../protocol/window-state.ts';
import { bearerMatches } from './http/guard.ts';
import { refuseUpgrade, type Routes } from './http/listener.ts';
import type { McpEndpoint } from './mcp/endpoint.ts';
import { sendJsonRpcError } from './mcp/json-rpc-error.ts';

type Endpoint = Pick<McpEndpoint, 'handle'>;

/** The path of the tools of all projects of a window. */
export const PROJECTS_PATH = '/projects/mcp';

/** Asks the window of the bridge whether it answers. */
export type AskWindow = () => Promise<WindowState>;

export interface MoreRoutes {
  /** Served below `/projects/mcp` in the same way as `/mcp`. */
  readonly projectsMcp?: Endpoint | undefined;
  /** Answers `POST /window` of other programs of the user; `undefined`: the bridge has no window. */
  readonly askWindow?: AskWindow | undefined;
}

/**
 * Serves `/mcp`, `/mcp/<toolset>` and `/mcp/<toolset>+<toolset>` for agents, which must send one of the tokens, and `/api…` for Studio, whose
 * plugin proves its key instead.
 */
export function createRoutes(
  mcp: Endpoint,
  studio: Routes,
  tokens: readonly string[],
  { projectsMcp, askWindow }: MoreRoutes = {},
): Routes {
  const others = createStudioOnlyRoutes(studio);
  const hasToken = (request: IncomingMessage): boolean => tokens.some(token => bearerMatches(request.headers, token));
  return {
    hasToken,
    async request(request, response, path) {
      if (path === WINDOW_PATH && request.method === 'POST' && askWindow !== undefined && hasToken(request))
        return sendWindowState(response, await askWindow());
      const isOfProjects = path.startsWith(PROJECTS_PATH);
      const toolset = /^(?:\/projects)?\/mcp(?:\/([\w+-]+))?$/.exec(path);
      const endpoint = isOfProjects ? projectsMcp : mcp;
      if (toolset === null || endpoint === undefined) return others.request(request, response, path);
      if (hasToken(request)) return endpoint.handle(request, response, toolset[1]);
      response.setHeader('WWW-Authenticate', 'Bearer realm="Atlas Bridge"');
      return sendJsonRpcError(response, 401, -32_001, 'The bearer token is missing or invalid.');
    },
    upgrade: (request, socket, head, path) => others.upgrade(request, socket, head, path),
  };
}

const sendWindowState = (response: ServerResponse, state: WindowState): void =>
  void response.writeHead(200, { 'Content-Type': 'application/json', Connection: 'close' }).end(JSON.stringify(state));

/** Serves only `/api…`, for a port that only a plugin uses. An unknown path gets the same error body as from Rojo and Atlas. */
export function createStudioOnlyRoutes(studio: Routes): Routes {
  return {
    async request(request, response, path) {
      if (path.startsWith('/api')) return studio.request(request, response, path);
      const problem: ErrorResponse = { kind: 'NotFound', details: `There is nothing at ${path}.` };
      response.writeHead(404, { 'Content-Type': 'application/json' }).end(JSON.stringify(problem));
    },
    upgrade(request, socket, head, path) {
      if (path.startsWith('/api')) studio.upgrade(request, socket, head, path);
      else refuseUpgrade(socket, 404);
    },
  };
}
