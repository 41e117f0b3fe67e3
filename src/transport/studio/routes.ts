import { failureForAgent } from '../../mcp/hide-folders.ts';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '../../base/errors.ts';
import type { StudioChannel } from '../../ports/studio-channel.ts';
import { TimeSlice } from '../../base/time-slice.ts';
import { SESSION_HEADER } from '../../protocol/studio/pairing.ts';
import { encodeMsgpack } from '../../protocol/msgpack/encode.ts';
import type { Routes } from '../http/listener.ts';
import { refuseUpgrade } from '../http/listener.ts';
import { type ApiRoute, type ApiRouteDeps, createApiRoutes } from './answers.ts';
import type { StudioAccess } from '../../studio/pairing/studio-access.ts';
import { openFeedSocket, parseCursor, type UpgradeToFeed } from './feed-socket.ts';
import { errorBody, MSGPACK, RefusedRequest, sendMsgpack } from './reply.ts';
import { createWriteWindow } from './write-window.ts';

const GREETING = '/api/rojo';
const STREAM = '/api/mcp/stream';
const SOCKET = '/api/socket/';

/** Upgrades an HTTP request to a channel and calls `onChannel` before it returns. */
type UpgradeToChannel = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  onChannel: (channel: StudioChannel) => void,
) => void;

export interface StudioRouteDeps extends Omit<ApiRouteDeps, 'writeWindow'> {
  readonly access: StudioAccess;
  readonly upgrade: UpgradeToChannel;
  readonly upgradeFeed: UpgradeToFeed;
  /** Called for each request of a plugin without a session, except the greeting, and again when it has been answered. */
  readonly noteUnpairedRequest: () => void;
}

/**
 * Serves the requests of Studio plugins. Without a session of a paired Studio or the permission of a person, it answers only the greeting,
 * and reads no body.
 */
export function createStudioRoutes(deps: StudioRouteDeps): Routes {
  const { dialect } = deps;
  const writeWindow = createWriteWindow(dialect, () => deps.project().feed, deps.isActiveClient, deps.clock);
  const answers = createApiRoutes({ ...deps, writeWindow });

  const answer = (request: IncomingMessage, path: string, slice: TimeSlice): ReturnType<ApiRoute['answer']> => {
    const fits = (route: ApiRoute): boolean =>
      request.method === route.method && (route.path.endsWith('/') ? path.startsWith(route.path) : path === route.path);
    const route = answers.find(fits);
    if (path !== GREETING) requireAccess(request);
    if (route !== undefined)
      return route.answer(path.slice(route.path.length), request, slice, () => requireAccess(request));
    if (request.method === 'GET' && (path === STREAM || path.startsWith(SOCKET)))
      throw new RefusedRequest(400, 'BadRequest', `${path} requires a WebSocket connection.`);
    throw new RefusedRequest(
      404,
      'NotFound',
      `There is nothing at ${request.method === 'GET' ? '' : `${request.method} `}${path}.`,
    );
  };

  /** @throws RefusedRequest 403 */
  const requireAccess = ({ headers }: IncomingMessage): void => {
    const reason = deps.access.refusal(tokenOf(headers), dialect);
    if (reason !== undefined)
      throw new RefusedRequest(403, 'Forbidden', `Atlas Bridge does not answer this request: ${reason}.`);
  };

  return {
    async request(request: IncomingMessage, response: ServerResponse, path: string) {
      const slice = new TimeSlice(deps.clock);
      // The plugins of Atlas Bridge search for their bridge by the greeting, even while another plugin syncs.
      const isOfSync = path !== GREETING && request.headers[SESSION_HEADER] === undefined;
      const note = isOfSync ? deps.noteUnpairedRequest : () => {};
      note();
      try {
        await sendMsgpack(response, 200, await answer(request, path, slice), slice);
        note();
      } catch (error) {
        const { status, kind, message } = refusalOf(error);
        // The rest of a refused body is not read.
        if (status === 403) response.setHeader('Connection', 'close');
        await sendMsgpack(response, status, errorBody(kind, message), slice);
      }
    },
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, path: string) {
      try {
        if (path === STREAM)
          return deps.upgrade(request, socket, head, channel => deps.access.accept(channel, dialect));
        requireAccess(request);
        if (!path.startsWith(SOCKET)) throw new RefusedRequest(404, 'NotFound', `There is no WebSocket at ${path}.`);
        const asked = { cursor: parseCursor(path.slice(SOCKET.length)), dialect };
        const held = deps.access.hold(tokenOf(request.headers), dialect, () => socket.destroy());
        socket.once('close', () => held[Symbol.dispose]());
        writeWindow.noteFeed();
        return openFeedSocket(deps.project().feed, deps.upgradeFeed, asked, request, socket, head);
      } catch (error) {
        const { status, kind, message } = refusalOf(error);
        refuseUpgrade(socket, status, MSGPACK, encodeMsgpack(errorBody(kind, message)));
      }
    },
  };
}

const tokenOf = (headers: IncomingHttpHeaders): string | undefined => headers[SESSION_HEADER]?.toString();

/** Converts expected errors to a response. Rethrows other errors, because they are bugs. */
export function refusalOf(error: unknown): Pick<RefusedRequest, 'status' | 'kind' | 'message'> {
  if (error instanceof RefusedRequest) return error;
  if (!(error instanceof AppError)) throw error;
  const message = failureForAgent(error);
  return error.code === 'NO_PROJECT'
    ? { status: 404, kind: 'NotFound', message }
    : { status: 500, kind: 'InternalError', message };
}
