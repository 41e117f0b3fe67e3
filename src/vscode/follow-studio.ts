import { DisposableStore } from '../base/disposable-store.ts';
import { type BridgeLifecycle, followBridges } from './bridge-lifecycle.ts';

/** How long Studio may take to start and open a place. */
const FOLLOW_MS = 5 * 60_000;

/** Calls `onConnect` once, with the name of the place of the next Studio that connects within five minutes. */
export function followStudio(lifecycle: BridgeLifecycle, onConnect: (place: string) => unknown): void {
  const store = new DisposableStore();
  const stop = (): void => store[Symbol.dispose]();
  const timer = setTimeout(stop, FOLLOW_MS);
  store.defer(() => clearTimeout(timer));
  store.add(
    followBridges(lifecycle, ({ studios }, alive) => {
      const known = new Set(studios.all().map(({ handle }) => handle));
      alive.add(
        studios.onDidChange(() => {
          const added = studios.all().find(({ handle }) => !known.has(handle));
          if (added === undefined) return;
          stop();
          onConnect(added.hello.placeName);
        }),
      );
    }),
  );
}
