import { plural } from '../../../../base/plural.ts';
import type { Blocking, Int, SelectArm, Value } from '../../backend/contract.ts';
import { raise, runtimeErrors } from '../values/failures.ts';
import { END } from '../values/loops.ts';
import { type Fiber, type Wait, Waiters } from './fiber.ts';
import type { Fibers } from './fibers.ts';
import { Queue } from './queue.ts';

/** A first-in, first-out channel. */
class Channel {
  readonly receivers = new Waiters();
  readonly senders = new Waiters();
  readonly whileFull: Wait = {
    what: 'send on channel',
    isOver: () => this.isClosed || !this.isFull,
    sources: [this.senders],
  };
  readonly whileEmpty: Wait = {
    what: 'recv on channel',
    note: () => this.note,
    isOver: () => !this.isEmpty || this.isClosed,
    sources: [this.receivers],
  };
  readonly #queue = new Queue<Value>();
  readonly capacity: number;
  readonly fibers: Fibers;
  /** Number of tasks with an unreleased sender. */
  #tasks = 0;
  /** Who released the sender of the function that made the channel: the function, or a task that released its own one twice. */
  #released: 'by owner' | 'by task' | undefined;
  #isClosed = false;

  constructor(capacity: number, fibers: Fibers) {
    this.capacity = capacity;
    this.fibers = fibers;
  }

  get isClosed(): boolean {
    // A task may end before the next one is spawned, so its second release closes nothing that another task takes over.
    return this.#isClosed || (this.#tasks === 0 && this.#released === 'by task');
  }

  /** ` (1 sender is not closed)` */
  get note(): string {
    const open = this.#tasks + (this.#released === undefined ? 1 : 0);
    return ` (${plural(open, '1 sender is', `${open} senders are`)} not closed)`;
  }

  retain(): void {
    this.#tasks += 1;
  }

  /** Releases the sender of a task. */
  releaseTask(): void {
    this.#tasks -= 1;
    this.#wakeIfClosed();
  }

  /** Releases the sender of the function that made the channel. */
  releaseOwner(by: 'by owner' | 'by task'): void {
    if (this.#released !== 'by owner') this.#released = by;
    this.#wakeIfClosed();
  }

  #wakeIfClosed(): void {
    this.#isClosed ||= this.#tasks === 0 && this.#released === 'by owner';
    if (!this.isClosed) return;
    this.receivers.wakeAll();
    this.senders.wakeAll();
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  get isFull(): boolean {
    return this.#queue.length >= this.capacity;
  }

  /** The next value; `undefined` if there is none. */
  get first(): Value {
    return this.#queue.first;
  }

  push(value: Value): void {
    this.#queue.push(value);
    this.notify();
  }

  shift(): Value {
    const value = this.#queue.shift();
    this.notify();
    return value;
  }

  /** Wakes one fiber for what the channel has to give. A fiber that was woken and takes something else calls this again. */
  notify(): void {
    if (!this.isEmpty) this.receivers.wakeFirst();
    if (!this.isFull) this.senders.wakeFirst();
  }
}

const closed = (): never => raise(runtimeErrors.ChannelClosed, ['channel closed']);

/** A wait that also ends when its fiber is cancelled. */
class ChannelWait implements Wait {
  readonly #fiber: Fiber | undefined;
  readonly #wait: Wait;

  constructor(fiber: Fiber | undefined, wait: Wait) {
    this.#fiber = fiber;
    this.#wait = wait;
  }

  get what(): string {
    return this.#wait.what;
  }

  get sources(): readonly Waiters[] {
    return this.#wait.sources;
  }

  get note(): (() => string) | undefined {
    return this.#wait.note;
  }

  isOver(): boolean {
    return this.#fiber?.isCancelled === true || this.#wait.isOver();
  }

  /** Whether the fiber must keep waiting. @throws Raised TaskCancelled */
  mustWait(): boolean {
    if (this.#wait.isOver()) return false;
    if (this.#fiber?.isCancelled === true) raise(runtimeErrors.TaskCancelled, ['task cancelled']);
    return true;
  }
}

/** `Sender<T>`, a reference-counted channel end. Its methods have their Pluto names. */
export class Sender {
  readonly channel: Channel;
  readonly #isOfTask: boolean;
  #isReleased = false;

  constructor(channel: Channel, isOfTask: boolean) {
    this.channel = channel;
    this.#isOfTask = isOfTask;
    if (isOfTask) channel.retain();
  }

  /** Sends if that needs no wait and no error. @returns whether it did */
  $send(value: Value): boolean {
    const { channel } = this;
    if (channel.isFull || channel.isClosed) return false;
    channel.push(value);
    return true;
  }

  *send(value: Value): Blocking<void> {
    const { channel } = this;
    if (!channel.isClosed && channel.isFull) {
      const waiting = new ChannelWait(channel.fibers.current, channel.whileFull);
      while (waiting.mustWait()) yield waiting;
    }
    this.#put(value);
  }

  try_send(value: Value): void {
    const { channel } = this;
    if (!channel.isClosed && channel.isFull) channel.fibers.wakeNext();
    if (!channel.isClosed && channel.isFull) raise(runtimeErrors.ChannelFull, ['channel full']);
    this.#put(value);
  }

  /**
   * A task releases its sender when it ends, also one that it closed. Like in the reference, the second release is that of the function
   * that made the channel, so a worker that closes its sender ends the loop of a receiver in that function.
   */
  close(): void {
    if (this.#isOfTask && !this.#isReleased) this.channel.releaseTask();
    else this.channel.releaseOwner(this.#isOfTask ? 'by task' : 'by owner');
    this.#isReleased = true;
  }

  #put(value: Value): void {
    if (this.channel.isClosed) closed();
    this.channel.push(value);
  }
}

/** `Receiver<T>` */
export class Receiver {
  readonly channel: Channel;

  constructor(channel: Channel) {
    this.channel = channel;
  }

  /** The next value. @returns `undefined`, with no effect, if the channel is empty or the value is `none` */
  $recv(): Value {
    const { first } = this.channel;
    return first === null || first === undefined ? undefined : this.channel.shift();
  }

  *recv(): Blocking {
    const value = yield* this.next();
    return value === END ? closed() : value;
  }

  try_recv(): Value {
    const { channel } = this;
    if (channel.isEmpty && !channel.isClosed) channel.fibers.wakeNext();
    if (!channel.isEmpty) return channel.shift();
    return channel.isClosed ? closed() : raise(runtimeErrors.ChannelEmpty, ['channel empty']);
  }

  /** The next value for a `for` loop, or `END` if the channel is closed and drained. */
  *next(): Blocking {
    const { channel } = this;
    if (channel.isEmpty && !channel.isClosed) {
      const waiting = new ChannelWait(channel.fibers.current, channel.whileEmpty);
      while (waiting.mustWait()) yield waiting;
    }
    return channel.isEmpty ? END : channel.shift();
  }
}

/** `chan<T>(capacity)`; the capacity is at least 1. */
export function makeChannel(capacity: Int | undefined, fibers: Fibers): readonly [Sender, Receiver] {
  const channel = new Channel(Math.max(Number(capacity ?? 1), 1), fibers);
  return [new Sender(channel, false), new Receiver(channel)];
}

const isReady = (arm: SelectArm): boolean => {
  const { channel } = endOf(arm);
  return 'from' in arm ? !channel.isEmpty : !channel.isClosed && !channel.isFull;
};
const isHopeless = (arm: SelectArm): boolean => {
  const { channel } = endOf(arm);
  return channel.isClosed && ('to' in arm || channel.isEmpty);
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
    const waiting = new ChannelWait(fibers.current, {
      what: 'select',
      isOver: () => ready().length > 0 || arms.every(isHopeless),
      sources: arms.map(arm => ('from' in arm ? endOf(arm).channel.receivers : endOf(arm).channel.senders)),
    });
    while (waiting.mustWait()) yield waiting;
  }
  const found = ready();
  const index = found[found.length === 1 ? 0 : fibers.pick(found.length)];
  const arm = index === undefined ? undefined : arms[index];
  if (index === undefined || arm === undefined) return closed();
  // One of the other channels may have woken this fiber.
  for (const other of arms) if (other !== arm) endOf(other).channel.notify();
  if ('from' in arm) return { arm: index, value: (arm.from as Receiver).try_recv() };
  (arm.to as Sender).try_send(arm.value);
  return { arm: index, value: undefined };
}
