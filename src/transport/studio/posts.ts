import type { IncomingMessage } from 'node:http';
import type { ProjectPath } from '../../base/brand.ts';
import { isScriptClass } from '../../roblox/instances/instance.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { ServedProject } from '../../studio/served-project.ts';
import type { WriteOutcome } from '../../studio/write/write-context.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { StudioDialect } from '../../protocol/studio/messages.ts';
import { SyncbackRequest, WriteRequest } from '../../protocol/studio/requests.ts';
import { PROTOCOL_VERSION } from './handshake.ts';
import { readMsgpackBody } from './msgpack-body.ts';
import { RefusedRequest } from './reply.ts';

/** Problems that are spelled out in one answer. */
const MAX_NAMED = 5;

/**
 * POST /api/write (section 3). Answers only when everything is on disk; when something is not, says what and why, and that the rest is.
 *
 * @param stages whether `stageIds` may put files into git's index
 */
export async function answerWrite(
  request: IncomingMessage,
  served: ServedProject,
  asked: { readonly sessionId: string; readonly dialect: StudioDialect; readonly stages: boolean },
): Promise<object> {
  const body = await readMsgpackBody(request, WriteRequest);
  if (body.sessionId !== asked.sessionId)
    throw new RefusedRequest(
      400,
      'BadRequest',
      'That session is over. Connect again to read the project as it is now.',
    );
  // A plugin that goes away has asked for it all the same: half of a write would be worse.
  const outcomes = await served.writer.write(body, asked.dialect, asked, new AbortController().signal);
  // Rojo's plugin posts whatever moves in Studio, and its own server passes most of that over without a word.
  const fine: readonly WriteOutcome['outcome'][] =
    asked.dialect === 'rojo' ? ['written', 'same', 'skipped'] : ['written', 'same'];
  const bad = outcomes.filter(({ outcome }) => !fine.includes(outcome));
  if (bad.length > 0) throw new RefusedRequest(409, 'BadRequest', describeFailures(bad, outcomes));
  return { sessionId: asked.sessionId };
}

function describeFailures(bad: readonly WriteOutcome[], all: readonly WriteOutcome[]): string {
  const written = all.filter(({ outcome }) => outcome === 'written').length;
  const named = bad.slice(0, MAX_NAMED).map(({ what, reason }) => `${what}: ${reason}`);
  const more = bad.length > MAX_NAMED ? `; and ${bad.length - MAX_NAMED} more` : '';
  return `${bad.length} of ${all.length} changes were not written to disk, ${written} were. ${named.join('; ')}${more}.`;
}

/** POST /api/open/<Ref>: the script's file. @throws Refused 400 no Ref, 404 unknown or without a file that a script editor opens */
export function fileToOpen(session: ProjectSession, text: string): ProjectPath {
  const id = parseRef(text);
  if (id === undefined) throw new RefusedRequest(400, 'BadRequest', `"${text}" is not a Ref (1 to 32 hex digits).`);
  const instance = session.get(id);
  const path = instance === undefined ? null : session.fsPathOf(id);
  if (instance === undefined || path === null || !isScriptClass(instance.className) || !/\.luau?$/.test(path))
    throw new RefusedRequest(404, 'BadRequest', 'No script file of the project belongs to that id.');
  return path;
}

/** POST /api/syncback, /api/mcp/syncback: refused, but its version is the only one that a plugin ever tells. */
export async function refuseSyncback(request: IncomingMessage, learn: (version: string) => void): Promise<never> {
  const { protocolVersion, serverVersion } = await readMsgpackBody(request, SyncbackRequest);
  // A plugin of another protocol does not come as far as the version.
  if (serverVersion !== undefined && Math.trunc(protocolVersion ?? 0) === PROTOCOL_VERSION.atlas) learn(serverVersion);
  throw new RefusedRequest(
    400,
    'BadRequest',
    'This bridge does not replace the whole project from Studio. Compare the two sides with a sync and pull what should be on disk.',
  );
}
