import { DisposableStore } from '../../base/disposable-store.ts';
import { AppError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import type { BridgeLifecycle, BridgeState } from '../../vscode/bridge-lifecycle.ts';
import type { ServedBridge } from '../../vscode/served-bridge.ts';
import type { PlaceStudio } from './place-studio.ts';

/** The open place of this window's headless Studio. */
export interface OpenPlace {
  /** Path of the place file. */
  readonly place: string;
  readonly studio: PlaceStudio;
}

/** The one headless Studio of a window. It reconnects when the bridge restarts, and ends with the window. */
export interface HeadlessSlot extends Disposable {
  current(): OpenPlace | undefined;
  /** Fires when a place was opened or closed, and when its connection status changed. */
  readonly onDidChange: Event<void>;
  /** Fires with the reason when Studio ended unexpectedly. */
  readonly onDidFail: Event<string>;
  /** Closes the open place without saving, then opens `place`. @param content the file to read, if it is another one @throws AppError MODEL_UNREADABLE */
  open(place: string, content?: string): Promise<OpenPlace>;
  close(): Promise<void>;
  /** Returns the open place, which the caller closes. The slot is empty then. */
  release(): OpenPlace | undefined;
}

const never = new AbortController().signal;

export function createHeadlessSlot(
  lifecycle: BridgeLifecycle,
  start: (place: string, content: string) => Promise<PlaceStudio>,
): HeadlessSlot {
  const changed = new Emitter<void>();
  const failed = new Emitter<string>();
  const store = new DisposableStore();
  let open: OpenPlace | undefined;
  let connected: ServedBridge | undefined;
  let isDisposed = false;
  // Serial, so that two concurrent calls of `open` do not leave two Studios running.
  const queue = new SerialQueue();

  const connect = (state: BridgeState): void => {
    if (state.kind !== 'running' || open === undefined) return;
    connected = state.bridge;
    open.studio.connect(portOf(state), '127.0.0.1');
  };
  const follow = (state: BridgeState): void => {
    // Another project became active, and that of the open place is still served.
    if (connected === undefined || !lifecycle.bridges().includes(connected)) connect(state);
  };
  const release = (): OpenPlace | undefined => {
    const released = open;
    if (released === undefined) return undefined;
    open = undefined;
    changed.fire();
    return released;
  };
  const close = async (): Promise<void> => {
    await release()?.studio[Symbol.asyncDispose]();
  };
  const openPlace = async (place: string, content: string): Promise<OpenPlace> => {
    await close();
    const studio = await start(place, content);
    if (isDisposed) {
      await studio[Symbol.asyncDispose]();
      throw new AppError('CANCELLED', { phase: 'opening the place' });
    }
    const opened: OpenPlace = { place, studio };
    open = opened;
    studio.onStatus(() => (open === opened ? changed.fire() : undefined));
    void studio.terminated.then(({ reason }) => {
      if (open !== opened) return;
      open = undefined;
      changed.fire();
      failed.fire(reason);
    });
    connect(lifecycle.state());
    changed.fire();
    return opened;
  };
  store.add(lifecycle.onDidChange(follow));
  store.defer(() => void close());

  return {
    current: () => open,
    onDidChange: changed.event,
    onDidFail: failed.event,
    open: (place, content = place) => queue.run(never, () => openPlace(place, content)),
    close: () => queue.run(never, close),
    release,
    [Symbol.dispose]() {
      isDisposed = true;
      store[Symbol.dispose]();
    },
  };
}

const portOf = (state: Extract<BridgeState, { kind: 'running' }>): number =>
  Number(new URL(state.bridge.studioUrl).port);
