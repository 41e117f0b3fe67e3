import { isScriptClass } from '../../protocol/script-class.ts';
import type { IncomingMessage } from 'node:http';
import { plural } from '../../base/plural.ts';
import type { TimeSlice } from '../../base/time-slice.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { ServedProject } from '../../studio/served-project.ts';
import type { WriteOutcome } from '../../studio/write/write-context.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { reasonText } from '../../protocol/reason.ts';
import type { StudioDialect } from '../../protocol/studio/messages.ts';
import { SyncbackRequest, WriteRequest } from '../../protocol/studio/requests.ts';
import { PROTOCOL_VERSION } from './handshake.ts';
import { readMsgpackBody } from './msgpack-body.ts';
import { RefusedRequest } from './reply.ts';

/** Maximum number of problems that one answer lists. */
const MAX_NAMED = 5;

/**
 * POST /api/write. Answers after everything is written to disk. If something could not be written, the error lists it with the reasons.
 *
 * @param stages whether `stageIds` may put files into git's index
 * @param requireMayWrite called when the body, which may take a minute, has arrived
 */
export async function answerWrite(
  request: IncomingMessage,
  served: ServedProject,
  asked: { readonly sessionId: string; readonly dialect: StudioDialect; readonly stages: boolean },
  slice: TimeSlice,
  requireMayWrite: () => void,
): Promise<object> {
  const body = await readMsgpackBody(request, WriteRequest, slice);
  requireMayWrite();
  if (body.sessionId !== asked.sessionId)
    throw new RefusedRequest(400, 'BadRequest', 'The session has ended. Connect again to read the current project.');
  // Not aborted when the plugin disconnects, because a partial write would be worse.
  const outcomes = await served.writer.write(body, asked.dialect, asked, new AbortController().signal);
  // Rojo's plugin posts every change in Studio, and Rojo's server silently ignores most of them.
  const fine: readonly WriteOutcome['outcome'][] =
    asked.dialect === 'rojo' ? ['written', 'same', 'skipped'] : ['written', 'same'];
  const bad = outcomes.filter(({ outcome }) => !fine.includes(outcome));
  if (bad.length > 0) throw new RefusedRequest(409, 'BadRequest', describeFailures(bad, outcomes));
  return { sessionId: asked.sessionId };
}

function describeFailures(bad: readonly WriteOutcome[], all: readonly WriteOutcome[]): string {
  const written = all.filter(({ outcome }) => outcome === 'written').length;
  const named = bad
    .slice(0, MAX_NAMED)
    .map(({ what, outcome, reason }) => `${what}: ${reason === undefined ? outcome : reasonText(reason)}`);
  const more = bad.length > MAX_NAMED ? `; and ${bad.length - MAX_NAMED} more` : '';
  const count = plural(all.length, '1 change', `${all.length} changes`);
  const rest = plural(written, '1 was written', `${written} were written`);
  return `${bad.length} of ${count} could not be written to disk; ${rest}. ${named.join('; ')}${more}.`;
}

/** POST /api/open/<Ref>: returns the script file to open. @throws RefusedRequest 400 if it is not a Ref, 404 if it is unknown or has no script file */
export function fileToOpen(session: ProjectSession, text: string): ProjectPath {
  const id = parseRef(text);
  if (id === undefined) throw new RefusedRequest(400, 'BadRequest', `"${text}" is not a Ref (1 to 32 hex digits).`);
  const instance = session.get(id);
  const path = instance === undefined ? null : session.fsPathOf(id);
  if (instance === undefined || path === null || !isScriptClass(instance.className) || !/\.luau?$/.test(path))
    throw new RefusedRequest(404, 'BadRequest', 'That id has no script file in the project.');
  return path;
}

/** POST /api/syncback, /api/mcp/syncback: always rejected. Reads the version in it, because plugins send it nowhere else. */
export async function refuseSyncback(
  request: IncomingMessage,
  learn: (version: string) => void,
  slice: TimeSlice,
): Promise<never> {
  const { protocolVersion, serverVersion } = await readMsgpackBody(request, SyncbackRequest, slice);
  // The version matters only for plugins with the same protocol version.
  if (serverVersion !== undefined && Math.trunc(protocolVersion ?? 0) === PROTOCOL_VERSION.atlas) learn(serverVersion);
  throw new RefusedRequest(
    400,
    'BadRequest',
    'This bridge does not support replacing the whole project from Studio. Start a sync and pull the changes that you want on disk.',
  );
}
