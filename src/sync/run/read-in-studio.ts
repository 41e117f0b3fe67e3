import type { Instances } from '../../protocol/studio/stream.ts';
import type { StudioLink } from '../../studio/studio-link.ts';

/** Ids that one message asks for: what comes back is taken in in one piece, and has one budget of time. */
const ASKED_AT_ONCE = 200;

/** Studio's state of instances that it compared, as `StudioLink.read` answers it, of however many. */
export async function readInStudio(
  link: Pick<StudioLink, 'read'>,
  compareId: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Pick<Instances, 'instances' | 'missing' | 'missingBecause'>> {
  const replies: Instances[] = [];
  for (let from = 0; from < ids.length; from += ASKED_AT_ONCE)
    replies.push(await link.read(compareId, ids.slice(from, from + ASKED_AT_ONCE), signal));
  return {
    instances: replies.flatMap(({ instances }) => instances),
    missing: replies.flatMap(({ missing }) => missing),
    missingBecause: replies.find(({ missingBecause }) => missingBecause !== undefined)?.missingBecause,
  };
}
