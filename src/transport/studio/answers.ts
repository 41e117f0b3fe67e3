import type { IncomingMessage } from 'node:http';
import type { ProjectPath, Ref } from '../../base/brand.ts';
import { deadline } from '../../base/deadline.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import { gitMetadata } from '../../studio/git-metadata.ts';
import { findAll, referencesTo, serializeInstances } from '../../studio/serialize.ts';
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

export interface AnswerDeps {
  /** How this port greets. */
  readonly dialect: StudioDialect;
  /** @throws AppError NO_PROJECT, PROJECT_INVALID */
  readonly project: () => ServedProject;
  readonly sessionId: string;
  /** Said to plugins, which may compare it with their own. */
  readonly serverVersion: () => string;
  /** A plugin has told its version. */
  readonly learnVersion: (version: string) => void;
  /** A sync that the bridge itself drives is going on in a plugin that does as it likes with defaults and staging. */
  readonly isActiveClient: () => boolean;
  readonly git: Git;
  readonly clock: Clock;
  readonly reflection: Reflection;
  /** Shows a file to the person; `undefined` where there is no editor. */
  readonly openFile: ((path: ProjectPath) => Promise<void>) | undefined;
}

/** One route of `/api`. `path` ends in `/` where something follows; `rest` is that. The result is the body of a 200. */
export interface Answer {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** @throws Refused, AppError */
  readonly answer: (rest: string, request: IncomingMessage) => Promise<object | null> | object | null;
}

export function createAnswers(deps: AnswerDeps): readonly Answer[] {
  const { dialect, sessionId } = deps;
  const tree = () => deps.project().session;
  const serialize = (ids: readonly Ref[]) => {
    const found = findAll(tree(), ids);
    if (!found.ok) throw new RefusedRequest(400, 'BadRequest', `There is no instance ${found.error} in the project.`);
    const model = serializeInstances(found.value, deps.reflection);
    if (!model.ok) throw new RefusedRequest(500, 'InternalError', model.error);
    return { sessionId, modelContents: model.value };
  };
  const refPatch = (ids: readonly Ref[]) => ({ sessionId, patch: referencesTo(tree(), new Set(ids)) });
  const posted = async (request: IncomingMessage): Promise<readonly Ref[]> => {
    const body = await readMsgpackBody(request, IdsRequest);
    if (body.sessionId !== sessionId)
      throw new RefusedRequest(400, 'BadRequest', 'That session is over. Connect again.');
    return parseRefList(body.ids);
  };
  const open = async (text: string) => {
    const path = fileToOpen(tree(), text);
    if (deps.openFile === undefined)
      throw new RefusedRequest(500, 'InternalError', `This bridge runs without an editor, so it cannot show ${path}.`);
    await deps.openFile(path);
    return { sessionId };
  };
  const write = (request: IncomingMessage) =>
    answerWrite(request, deps.project(), { sessionId, dialect, stages: !deps.isActiveClient() });
  const syncback = (_: string, request: IncomingMessage) => refuseSyncback(request, deps.learnVersion);

  return [
    {
      method: 'GET',
      path: '/api/rojo',
      answer: () => serverInfo(tree(), sessionId, dialect, deps.serverVersion()),
    },
    {
      method: 'GET',
      path: '/api/read/',
      answer(rest) {
        const refs = parseRefList(rest);
        const { session, feed } = deps.project();
        if (refs.includes(session.rootId)) feed.noteRead(dialect);
        return readResponse(session, sessionId, refs);
      },
    },
    { method: 'GET', path: '/api/git-metadata', answer: () => answerGitMetadata(deps) },
    { method: 'GET', path: '/api/validate-tree', answer: () => validateTree(tree(), deps.clock) },
    { method: 'GET', path: '/api/serialize/', answer: rest => serialize(parseRefList(rest)) },
    { method: 'GET', path: '/api/ref-patch/', answer: rest => refPatch(parseRefList(rest)) },
    { method: 'POST', path: '/api/serialize', answer: async (_, request) => serialize(await posted(request)) },
    { method: 'POST', path: '/api/ref-patch', answer: async (_, request) => refPatch(await posted(request)) },
    { method: 'POST', path: '/api/open/', answer: open },
    { method: 'POST', path: '/api/write', answer: (_, request) => write(request) },
    { method: 'POST', path: '/api/syncback', answer: syncback },
    { method: 'POST', path: '/api/mcp/syncback', answer: syncback },
  ];
}

/** Nil where git has nothing to say, or does not say it in time; a plugin then has no defaults. */
async function answerGitMetadata({
  git,
  clock,
  project,
  isActiveClient: isDriving,
}: AnswerDeps): Promise<object | null> {
  const { session } = project();
  // A plugin selects by defaults what nobody has decided: in a run of ours nothing may be selected so.
  if (isDriving()) return null;
  const late = new Error('git takes too long');
  using time = deadline(clock, new AbortController().signal, FEED_LIMITS.gitMetadataMs, () => late);
  try {
    const status = await git.status(time.signal);
    return status === undefined ? null : gitMetadata(session, status);
  } catch (error) {
    if (time.signal.aborted) return null;
    throw error;
  }
}
