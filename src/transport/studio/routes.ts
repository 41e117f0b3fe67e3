import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '../../base/errors.ts';
import { formatSentence } from '../../base/sentence.ts';
import type { OpenStudioDirectory } from '../../studio/studio-directory.ts';
import { TimeSlice } from '../../base/time-slice.ts';
import { forAgent } from '../../protocol/error-body.ts';
import { encodeMsgpack } from '../../protocol/msgpack/encode.ts';
import type { Routes } from '../http/listener.ts';
import { refuseUpgrade } from '../http/listener.ts';
import { type Answer, type AnswerDeps, createAnswers } from './answers.ts';
import { openCommandSocket, type UpgradeToChannel } from './command-socket.ts';
import { openFeedSocket, parseCursor, type UpgradeToFeed } from './feed-socket.ts';
import { errorBody, MSGPACK, RefusedRequest, sendMsgpack } from './reply.ts';

const STREAM = '/api/mcp/stream';
const SOCKET = '/api/socket/';

export interface StudioRouteDeps extends AnswerDeps {
  readonly studios: OpenStudioDirectory;
  readonly upgrade: UpgradeToChannel;
  readonly upgradeFeed: UpgradeToFeed;
}

/** Serves the requests of Studio plugins. Ignores request headers, because plugins set none. */
export function createStudioRoutes(deps: StudioRouteDeps): Routes {
  const answers = createAnswers(deps);

  const answer = (request: IncomingMessage, path: string, slice: TimeSlice): ReturnType<Answer['answer']> => {
    const fits = (route: Answer): boolean =>
      request.method === route.method && (route.path.endsWith('/') ? path.startsWith(route.path) : path === route.path);
    const route = answers.find(fits);
    if (route !== undefined) return route.answer(path.slice(route.path.length), request, slice);
    if (request.method === 'GET' && (path === STREAM || path.startsWith(SOCKET)))
      throw new RefusedRequest(400, 'BadRequest', `${path} requires a WebSocket connection.`);
    throw new RefusedRequest(
      404,
      'NotFound',
      `There is nothing at ${request.method === 'GET' ? '' : `${request.method} `}${path}.`,
    );
  };

  return {
    async request(request: IncomingMessage, response: ServerResponse, path: string) {
      const slice = new TimeSlice(deps.clock);
      try {
        await sendMsgpack(response, 200, await answer(request, path, slice), slice);
      } catch (error) {
        const { status, kind, message } = refusalOf(error);
        await sendMsgpack(response, status, errorBody(kind, message), slice);
      }
    },
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, path: string) {
      try {
        if (path === STREAM) return openCommandSocket(deps.studios, deps.upgrade, request, socket, head);
        if (!path.startsWith(SOCKET)) throw new RefusedRequest(404, 'NotFound', `There is no WebSocket at ${path}.`);
        const asked = { cursor: parseCursor(path.slice(SOCKET.length)), dialect: deps.dialect };
        return openFeedSocket(deps.project().feed, deps.upgradeFeed, asked, request, socket, head);
      } catch (error) {
        const { status, kind, message } = refusalOf(error);
        refuseUpgrade(socket, status, MSGPACK, encodeMsgpack(errorBody(kind, message)));
      }
    },
  };
}

/** Converts expected errors to a response. Rethrows other errors, because they are bugs. */
function refusalOf(error: unknown): Pick<RefusedRequest, 'status' | 'kind' | 'message'> {
  if (error instanceof RefusedRequest) return error;
  if (!(error instanceof AppError)) throw error;
  const message = formatSentence(forAgent(error));
  return error.code === 'NO_PROJECT'
    ? { status: 404, kind: 'NotFound', message }
    : { status: 500, kind: 'InternalError', message };
}
