import type { Ref } from '../../base/brand.ts';
import { AppError } from '../../base/errors.ts';
import { runInSlices, TimeSlice } from '../../base/time-slice.ts';
import type { Clock } from '../../ports/clock.ts';
import { READ_REPLY_BYTES } from '../../protocol/limits.ts';
import type { LiveFromPlugin } from '../../protocol/studio/live.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import type { KnownInstances } from '../feed/patch-message.ts';
import { addParts, newInstanceParts } from '../reply-parts.ts';
import type { LiveChannel } from '../studio-link.ts';

type Answer = Extract<LiveFromPlugin, { type: 'liveInstances' }>;

export interface RemovedRead {
  readonly channel: Pick<LiveChannel, 'send' | 'onMessage'>;
  readonly clock: Clock;
  /** The cursor of the change. */
  readonly cursor: number;
  /** The instances before the change. */
  readonly known: KnownInstances;
  /** Called when Studio has read more. */
  readonly onProgress: () => void;
}

/** Descendants from which older plugins leave an instance out. */
const MAX_UNDIVIDED = 5_000;

/**
 * Reads the instances that a change removes, as far as Studio has them, whatever their size.
 *
 * @throws AppError STUDIO_FAILED if one of them cannot be read whole; then nothing may be removed
 * @throws the reason of `signal`
 */
export async function readRemoved(
  ids: readonly string[],
  request: RemovedRead,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, StudioInstance>> {
  const read = new Map<string, StudioInstance>();
  for (let left = ids; left.length > 0;) {
    const { instances, left: next, partCount } = await readOnce(left, request, signal);
    for (const instance of instances) read.set(instance.id, instance);
    if (partCount === undefined) expectSmall(left, next, read, request);
    if (instances.length > 0) request.onProgress();
    left = next;
  }
  return read;
}

async function readOnce(
  ids: readonly string[],
  { channel, clock, cursor, onProgress }: RemovedRead,
  signal: AbortSignal,
): Promise<Answer> {
  signal.throwIfAborted();
  const parts = newInstanceParts();
  const answered = Promise.withResolvers<Answer>();
  const abort = (): void => answered.reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  using _ = channel.onMessage(message => {
    if (message.type !== 'liveInstancesPart' && message.type !== 'liveInstances') return;
    if (message.cursor !== cursor) return;
    if (message.type === 'liveInstances') return answered.resolve(message);
    onProgress();
    try {
      parts.add(message.parts);
    } catch (error) {
      answered.reject(error);
    }
  });
  try {
    const sent = channel.send({ type: 'liveRead', cursor, ids, maxBytes: READ_REPLY_BYTES, inParts: true });
    // Together, because the change can end before a large question is sent.
    const [answer] = await Promise.all([answered.promise, sent]);
    parts.expectAll(answer.partCount);
    await runInSlices(addParts(answer.instances, parts.items), new TimeSlice(clock));
    return answer;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** @throws AppError STUDIO_FAILED if an older plugin may have left an instance out because of its size, not because Studio lacks it */
function expectSmall(
  ids: readonly string[],
  left: readonly string[],
  read: ReadonlyMap<string, StudioInstance>,
  { known }: RemovedRead,
): void {
  for (const id of ids) {
    if (read.has(id) || left.includes(id) || !isLarge(id as Ref, known)) continue;
    const reason = `${known.get(id as Ref)?.name} has too many instances for this version of the Studio plugin; update it`;
    throw new AppError('STUDIO_FAILED', { reason, code: 'too_large' });
  }
}

function isLarge(top: Ref, known: KnownInstances): boolean {
  const open = [top];
  for (let count = 0; count <= MAX_UNDIVIDED; count += 1) {
    const next = open.pop();
    if (next === undefined) return false;
    open.push(...(known.get(next)?.children ?? []));
  }
  return true;
}
