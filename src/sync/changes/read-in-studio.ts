import type { Instances } from '../../protocol/studio/stream.ts';
import type { StudioLink } from '../../studio/studio-link.ts';

/** Ids per message. Studio omits the last ones if the texts are large. */
export const READ_BATCH_SIZE = 200;

/** Reads any number of compared instances from Studio, in batches. */
export async function readInStudio(
  link: Pick<StudioLink, 'read'>,
  compareId: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Pick<Instances, 'instances' | 'missing' | 'missingBecause' | 'incomplete'>> {
  const replies: Instances[] = [];
  for (let from = 0; from < ids.length;) {
    const asked = ids.slice(from, from + READ_BATCH_SIZE);
    const reply = await link.read(compareId, asked, signal);
    replies.push(reply);
    // A reply that omits everything would be requested forever.
    from += Math.max(1, asked.length - (reply.left?.length ?? 0));
  }
  return {
    instances: replies.flatMap(({ instances }) => instances),
    incomplete: replies.flatMap(({ incomplete = [] }) => incomplete),
    missing: replies.flatMap(({ missing }) => missing),
    missingBecause: replies.find(({ missingBecause }) => missingBecause !== undefined)?.missingBecause,
  };
}
