import type { Blocking, SelectArm, Value } from '../../backend/contract.ts';
import { raise, runtimeErrors } from '../values/failures.ts';
import { END } from '../values/loops.ts';
import type { Fibers } from './fibers.ts';
import { Queue } from './queue.ts';

/** A first-in, first-out channel. */
class Channel {
  readonly queue = new Queue<Value>();
  readonly capacity: number;
  readonly fibers: Fibers;
  /** Number of unreleased senders. The channel closes when it drops to 0. */
  senders = 0;

  constructor(capacity: number, fibers: Fibers) {
    this.capacity = capacity;
    this.fibers = fibers;
  }

  get isClosed(): boolean {
    return this.senders === 0;
  }

  get isFull(): boolean {
    return this.queue.length >= this.capacity;
  }
}

const closed = (): never => raise(runtimeErrors.ChannelClosed, ['channel closed']);

/** Waits until `isOver`. @throws Raised TaskCancelled if the fiber is cancelled while waiting */
function* wait(fibers: Fibers, what: string, isOver: () => boolean): Blocking<void> {
  const fiber = fibers.current;
  while (!isOver()) {
    if (fiber?.isCancelled === true) raise(runtimeErrors.TaskCancelled, ['task cancelled']);
    yield { what, isOver: () => fiber?.isCancelled === true || isOver() };
  }
}

/** `Sender<T>`, a reference-counted channel end. Its methods have their Pluto names. */
export class Sender {
  readonly channel: Channel;
  #isReleased = false;

  constructor(channel: Channel) {
    this.channel = channel;
    channel.senders += 1;
  }

  /** Another reference, for a task. The duplicate of a released sender is released too. */
  duplicate(): Sender {
    if (!this.#isReleased) return new Sender(this.channel);
    return this;
  }

  *send(value: Value): Blocking<void> {
    const { channel } = this;
    yield* wait(channel.fibers, 'send on channel', () => channel.isClosed || !channel.isFull);
    this.#put(value);
  }

  try_send(value: Value): void {
    const { channel } = this;
    if (!channel.isClosed && channel.isFull) channel.fibers.wakeNext();
    if (!channel.isClosed && channel.isFull) raise(runtimeErrors.ChannelFull, ['channel full']);
    this.#put(value);
  }

  close(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.channel.senders -= 1;
  }

  #put(value: Value): void {
    if (this.channel.isClosed) closed();
    this.channel.queue.push(value);
  }
}

/** `Receiver<T>` */
export class Receiver {
  readonly channel: Channel;

  constructor(channel: Channel) {
    this.channel = channel;
  }

  *recv(): Blocking {
    const value = yield* this.next();
    return value === END ? closed() : value;
  }

  try_recv(): Value {
    const { channel } = this;
    if (channel.queue.length === 0 && !channel.isClosed) channel.fibers.wakeNext();
    if (channel.queue.length > 0) return channel.queue.shift();
    return channel.isClosed ? closed() : raise(runtimeErrors.ChannelEmpty, ['channel empty']);
  }

  /** The next value for a `for` loop, or `END` if the channel is closed and drained. */
  *next(): Blocking {
    const { channel } = this;
    yield* wait(channel.fibers, 'recv on channel', () => channel.queue.length > 0 || channel.isClosed);
    return channel.queue.length > 0 ? channel.queue.shift() : END;
  }
}

/** `chan<T>(capacity)`; the capacity is at least 1. */
export function makeChannel(capacity: bigint | undefined, fibers: Fibers): readonly [Sender, Receiver] {
  const channel = new Channel(Math.max(Number(capacity ?? 1n), 1), fibers);
  return [new Sender(channel), new Receiver(channel)];
}

const isReady = (arm: SelectArm): boolean => {
  const { channel } = endOf(arm);
  return 'from' in arm ? channel.queue.length > 0 : !channel.isClosed && !channel.isFull;
};
const isHopeless = (arm: SelectArm): boolean => {
  const { channel } = endOf(arm);
  return channel.isClosed && ('to' in arm || channel.queue.length === 0);
};
const endOf = (arm: SelectArm): Sender | Receiver => ('from' in arm ? (arm.from as Receiver) : (arm.to as Sender));

/** `select`: picks a ready arm; -1 for the default. @throws Raised ChannelClosed if no arm can become ready */
export function* select(
  fibers: Fibers,
  arms: readonly SelectArm[],
  hasDefault: boolean,
): Blocking<{ readonly arm: number; readonly value: Value }> {
  const ready = (): readonly number[] => arms.flatMap((arm, index) => (isReady(arm) ? [index] : []));
  if (hasDefault && ready().length === 0) fibers.wakeNext();
  if (ready().length === 0) {
    if (hasDefault) return { arm: -1, value: undefined };
    yield* wait(fibers, 'select', () => ready().length > 0 || arms.every(isHopeless));
  }
  const found = ready();
  const index = found[found.length === 1 ? 0 : fibers.pick(found.length)];
  const arm = index === undefined ? undefined : arms[index];
  if (index === undefined || arm === undefined) return closed();
  if ('from' in arm) return { arm: index, value: (arm.from as Receiver).try_recv() };
  (arm.to as Sender).try_send(arm.value);
  return { arm: index, value: undefined };
}
