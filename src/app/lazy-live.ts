import { DisposableStore } from '../base/disposable-store.ts';
import { Emitter } from '../base/emitter.ts';
import type { Sentence } from '../base/sentence.ts';
import type { LiveMode } from '../ports/settings.ts';
import type { LiveControl } from '../studio/live/live-control.ts';
import type { WrittenStructure } from '../studio/live/write-structure.ts';
import type { createLive, LiveDeps } from './live.ts';

/** Loads Live Sync. */
export type LoadLive = () => Promise<typeof createLive>;

/** Creates a Live Sync whose code is loaded when it is switched on and a Studio is connected, because most bridges start without any Studio. */
export function createLazyLive(load: LoadLive, deps: LiveDeps): LiveControl {
  const { settings, studios, log } = deps;
  const store = new DisposableStore();
  const changed = new Emitter<void>();
  const needed = new Emitter<Sentence>();
  const structure = new Emitter<WrittenStructure>();
  let chosen: LiveMode | undefined;
  let control: LiveControl | undefined;
  let isLoading = false;
  let isDisposed = false;

  const mode = (): LiveMode => chosen ?? settings.live();
  const open = async (): Promise<void> => {
    const create = await load();
    if (isDisposed) return;
    control = store.add(create(deps));
    control.onDidChange(() => changed.fire());
    control.onDidNeedSync(reason => needed.fire(reason));
    control.onDidWriteStructure(written => structure.fire(written));
    control.setMode(chosen);
  };
  const update = (): void => {
    changed.fire();
    if (isLoading || mode() === 'off' || studios.all().length === 0) return;
    isLoading = true;
    open().catch((error: unknown) => {
      // The next change of mode or Studios tries again.
      isLoading = false;
      log.error('Live Sync could not be loaded', error);
    });
  };
  store.add(studios.onDidChange(update));
  store.add(deps.onDidServe(update));
  update();

  return {
    mode,
    setMode(next) {
      chosen = next;
      if (control === undefined) update();
      else control.setMode(next);
    },
    state: () =>
      control?.state() ??
      (mode() === 'off' ? { kind: 'off' } : { kind: studios.all().length === 0 ? 'waiting' : 'starting' }),
    lastChange: () => control?.lastChange(),
    onDidChange: changed.event,
    onDidNeedSync: needed.event,
    onDidWriteStructure: structure.event,
    [Symbol.dispose]() {
      isDisposed = true;
      store[Symbol.dispose]();
    },
  };
}
