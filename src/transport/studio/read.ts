import type { Ref } from '../../base/brand.ts';
import type { TimeSlice } from '../../base/time-slice.ts';
import { runAtOneRevision } from '../../project/run-at-one-revision.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { renderInstances } from '../../project/session/read-response.ts';
import { RefusedRequest } from './reply.ts';

/** Parses Refs from a comma-separated list or a list of strings. @throws RefusedRequest for the first part that is not a Ref */
export function parseRefList(list: string | readonly unknown[]): readonly Ref[] {
  const parts = typeof list === 'string' ? list.split(',') : list;
  return parts.map(part => {
    const ref = typeof part === 'string' ? parseRef(part) : undefined;
    if (ref === undefined)
      throw new RefusedRequest(400, 'BadRequest', `"${String(part)}" is not a Ref (1 to 32 hex digits).`);
    return ref;
  });
}

/** Creates a `ReadResponse`: the requested instances and their descendants. Unknown ids are omitted. */
export function readResponse(
  session: ProjectSession,
  sessionId: string,
  refs: readonly Ref[],
  slice: TimeSlice,
): Promise<object> {
  return runAtOneRevision(
    session,
    function* readInstances() {
      const messageCursor = session.revision();
      return { sessionId, messageCursor, instances: yield* renderInstances(session, refs) };
    },
    slice,
  );
}
