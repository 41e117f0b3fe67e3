import { DecodeBudgetError } from '../base/decode/decode-budget.ts';
import { readShortMembers } from '../base/decode/json-members.ts';
import { JsonSyntaxError, parseJsonPausable } from '../base/decode/paced-json.ts';
import { type PausableWork, runInSlices, runToEnd, TimeSlice, TurnBudget } from '../base/time-slice.ts';
import type { Clock } from '../ports/clock.ts';
import type { ChannelFrame, StudioChannel } from '../ports/studio-channel.ts';
import { MAX_FRAME_BYTES, MESSAGE_LIMITS } from '../protocol/limits.ts';
import { messageHead, OversizedMessage } from '../protocol/studio/read-items.ts';

/** Interval of `alive` while frames are parsed. */
const ALIVE_MS = 1_000;

/**
 * Calls `listener` with each frame of the channel as a value, in order. Large frames are parsed in slices, and the channel pauses meanwhile.
 *
 * @param read validates a value; gets `undefined` for a frame that is not JSON, and `OversizedMessage` for one beyond `MESSAGE_LIMITS`
 * @param alive called when a part of a frame arrives, and while frames are parsed: the peer is not silent then
 */
export function onJsonFrame<T>(
  channel: StudioChannel,
  clock: Clock,
  read: (value: unknown) => PausableWork<T>,
  listener: (message: T) => void,
  alive: () => void,
): Disposable {
  const waiting: ChannelFrame[] = [];
  let waitingBytes = 0;
  let isBusy = false;
  let isOpen = true;
  const turn = new TurnBudget(clock);

  function* decode(frame: ChannelFrame): PausableWork<T> {
    return yield* read(yield* parseFrame(frame));
  }
  let cancelAlive = (): void => {};
  const aliveWhileBusy = (): void => {
    alive();
    cancelAlive = clock.after(ALIVE_MS, aliveWhileBusy);
  };

  const work = async (): Promise<void> => {
    isBusy = true;
    channel.pause?.();
    aliveWhileBusy();
    try {
      const slice = new TimeSlice(clock);
      for (let frame = waiting.shift(); frame !== undefined && isOpen; frame = waiting.shift()) {
        const message = await runInSlices(decode(frame), slice);
        waitingBytes -= sizeOf(frame);
        if (isOpen) listener(message);
        await slice.yieldToEventLoop();
      }
    } catch (error) {
      channel.close(error instanceof Error ? error.message : 'the message failed');
    } finally {
      isBusy = false;
      cancelAlive();
      alive();
      channel.resume?.();
    }
  };

  const parts = channel.onPart?.(alive);
  const subscription = channel.onMessage(frame => {
    // A part of the stream contains thousands of tiny frames, which arrive in one turn of the event loop.
    if (!isBusy && typeof frame === 'string' && turn.hasTimeLeft()) return listener(runToEnd(decode(frame)));
    waiting.push(frame);
    waitingBytes += sizeOf(frame);
    // A paused channel still delivers the frames that had arrived before, so more than one frame may wait.
    if (waitingBytes > 2 * MAX_FRAME_BYTES) return channel.close('too many messages at once');
    if (!isBusy) void work();
  });
  return {
    [Symbol.dispose]() {
      isOpen = false;
      parts?.[Symbol.dispose]();
      subscription[Symbol.dispose]();
    },
  };
}

const sizeOf = (frame: ChannelFrame): number =>
  typeof frame === 'string' ? frame.length : frame.reduce((sum, piece) => sum + piece.byteLength, 0);

function* parseFrame(frame: ChannelFrame): PausableWork<unknown> {
  const bytes = typeof frame === 'string' ? encoder.encode(frame) : yield* joined(frame);
  try {
    return yield* parseJsonPausable(bytes, MESSAGE_LIMITS);
  } catch (error) {
    // Its sender may wait for an answer, which names these members.
    if (error instanceof DecodeBudgetError)
      return new OversizedMessage(error.message, yield* readShortMembers(bytes, messageHead));
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function* joined(pieces: readonly Uint8Array[]): PausableWork<Uint8Array> {
  const bytes = new Uint8Array(sizeOf(pieces));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
    yield;
  }
  return bytes;
}

const encoder = new TextEncoder();
