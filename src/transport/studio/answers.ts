import type { IncomingMessage } from 'node:http';
import type { ProjectPath, Ref } from '../../base/brand.ts';
import { deadline } from '../../base/deadline.ts';
import { runInSlices, type TimeSlice } from '../../base/time-slice.ts';
import { runAtOneRevision } from '../../project/run-at-one-revision.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import { gitMetadata } from '../../studio/git-metadata.ts';
import { findAll, referencesTo, serializeInstances } from '../../studio/serialize.ts';
import type { PlaceClaims } from '../../studio/place-claims.ts';
import type { ServedProject } from '../../studio/served-project.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Git } from '../../ports/git.ts';
import { FEED_LIMITS } from '../../protocol/limits.ts';
import type { StudioDialect } from '../../protocol/studio/messages.ts';
import { IdsRequest } from '../../protocol/studio/requests.ts';
import { serverInfo } from './handshake.ts';
import { readMsgpackBody } from './msgpack-body.ts';
import { answerWrite, fileToOpen, refuseSyncback } from './posts.ts';
import { parseRefList, readResponse } from './read.ts';
import { RefusedRequest } from './reply.ts';
import { validateTree } from './validate-tree.ts';
import type { WriteWindow } from './write-window.ts';

export interface ApiRouteDeps {
  /** The dialect of this port. */
  readonly dialect: StudioDialect;
  /** @throws AppError NO_PROJECT, PROJECT_INVALID */
  readonly project: () => ServedProject;
  /** The other projects of the window. */
  readonly otherProjects?: (() => readonly PlaceClaims[]) | undefined;
  readonly sessionId: string;
  /** The version for plugins, which may compare it with their own. */
  readonly serverVersion: () => string;
  /** Called when a plugin reports its version. */
  readonly learnVersion: (version: string) => void;
  /** Whether the bridge is running a sync in a plugin that applies its own defaults and staging. */
  readonly isActiveClient: () => boolean;
  readonly writeWindow: WriteWindow;
  readonly git: Git;
  readonly clock: Clock;
  readonly reflection: Reflection;
  /** Opens a file for the person; `undefined` without an editor. */
  readonly openFile: ((path: ProjectPath) => Promise<void>) | undefined;
}

/** One route of `/api`. If `path` ends in `/`, `rest` is the remaining path. The result is the body of a 200 response. */
export interface ApiRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /**
   * @param requireAccess checks again whether the peer may act, after its body has arrived
   * @throws RefusedRequest, AppError
   */
  readonly answer: (
    rest: string,
    request: IncomingMessage,
    slice: TimeSlice,
    requireAccess: () => void,
  ) => Promise<object | null> | object | null;
}

export function createApiRoutes(deps: ApiRouteDeps): readonly ApiRoute[] {
  const { dialect, sessionId } = deps;
  const tree = () => deps.project().session;
  const serialize = async (ids: readonly Ref[], slice: TimeSlice) => {
    const found = findAll(tree(), ids);
    if (!found.ok) throw new RefusedRequest(400, 'BadRequest', `Instance ${found.error} is not in the project.`);
    const model = await runInSlices(serializeInstances(found.value, deps.reflection), slice);
    if (!model.ok) throw new RefusedRequest(500, 'InternalError', model.error);
    return { sessionId, modelContents: model.value };
  };
  const refPatch = async (ids: readonly Ref[], slice: TimeSlice) => {
    const targets = new Set(ids);
    const session = tree();
    return { sessionId, patch: await runAtOneRevision(session, () => referencesTo(session, targets), slice) };
  };
  const posted = async (request: IncomingMessage, slice: TimeSlice): Promise<readonly Ref[]> => {
    const body = await readMsgpackBody(request, IdsRequest, slice);
    if (body.sessionId !== sessionId)
      throw new RefusedRequest(400, 'BadRequest', 'The session has ended. Connect again.');
    return parseRefList(body.ids);
  };
  const open = async (text: string) => {
    const path = fileToOpen(tree(), text);
    if (deps.openFile === undefined)
      throw new RefusedRequest(500, 'InternalError', `Cannot open ${path}: this bridge runs without an editor.`);
    await deps.openFile(path);
    return { sessionId };
  };
  const write: ApiRoute['answer'] = (_, request, slice, requireAccess) => {
    const requireLive = (): void => {
      if (!deps.writeWindow.isOpen())
        throw new RefusedRequest(403, 'Forbidden', 'Nothing is written without a live session. Connect Studio again.');
    };
    requireLive();
    const mayWrite = (): void => {
      requireAccess();
      requireLive();
    };
    return answerWrite(
      request,
      deps.project(),
      { sessionId, dialect, stages: !deps.isActiveClient() },
      slice,
      mayWrite,
    );
  };
  const syncback = (_: string, request: IncomingMessage, slice: TimeSlice) =>
    refuseSyncback(request, deps.learnVersion, slice);

  return [
    {
      method: 'GET',
      path: '/api/rojo',
      answer: () => serverInfo(tree(), sessionId, dialect, deps.serverVersion(), deps.otherProjects?.() ?? []),
    },
    {
      method: 'GET',
      path: '/api/read/',
      answer(rest, _, slice) {
        const refs = parseRefList(rest);
        const { session, feed } = deps.project();
        if (refs.includes(session.rootId)) {
          feed.noteRead(dialect);
          deps.writeWindow.noteRead();
        }
        return readResponse(session, sessionId, refs, slice);
      },
    },
    { method: 'GET', path: '/api/git-metadata', answer: (_, __, slice) => answerGitMetadata(deps, slice) },
    { method: 'GET', path: '/api/validate-tree', answer: () => validateTree(tree(), deps.clock) },
    { method: 'GET', path: '/api/serialize/', answer: (rest, _, slice) => serialize(parseRefList(rest), slice) },
    { method: 'GET', path: '/api/ref-patch/', answer: (rest, _, slice) => refPatch(parseRefList(rest), slice) },
    {
      method: 'POST',
      path: '/api/serialize',
      answer: async (_, request, slice) => serialize(await posted(request, slice), slice),
    },
    {
      method: 'POST',
      path: '/api/ref-patch',
      answer: async (_, request, slice) => refPatch(await posted(request, slice), slice),
    },
    { method: 'POST', path: '/api/open/', answer: open },
    { method: 'POST', path: '/api/write', answer: write },
    { method: 'POST', path: '/api/syncback', answer: syncback },
    { method: 'POST', path: '/api/mcp/syncback', answer: syncback },
  ];
}

/** Returns nil without git or on a timeout of git. The plugin then has no defaults. */
async function answerGitMetadata(
  { git, clock, project, isActiveClient }: ApiRouteDeps,
  slice: TimeSlice,
): Promise<object | null> {
  const { session } = project();
  // A plugin applies defaults to undecided changes. During a sync of the bridge, it must not do that.
  if (isActiveClient()) return null;
  const late = new Error('git timed out');
  using time = deadline(clock, new AbortController().signal, FEED_LIMITS.gitMetadataMs, () => late);
  try {
    const status = await git.status(time.signal);
    return status === undefined ? null : await runAtOneRevision(session, () => gitMetadata(session, status), slice);
  } catch (error) {
    if (time.signal.aborted) return null;
    throw error;
  }
}
