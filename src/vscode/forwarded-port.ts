import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable-store.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { Logger } from '../ports/logger.ts';
import { type BridgeLifecycle, followBridges } from './bridge-lifecycle.ts';
import type { ServedBridge } from './served-bridge.ts';
import { type WindowPlace, windowPlace } from './window-place.ts';

/** The address at which Studio, on the user's own computer, reaches the bridge of this window. */
export interface ForwardedPort extends Disposable {
  readonly place: WindowPlace;
  /** `host:port`, as entered in the plugin's window; `undefined` without a bridge, or while its port is not forwarded. */
  address(): string | undefined;
  readonly onDidChange: Event<void>;
}

/** In a remote window, VS Code forwards the port to the user's computer, with the same number if that is free. */
export function createForwardedPort(lifecycle: BridgeLifecycle, log: Logger): ForwardedPort {
  const store = new DisposableStore();
  const changed = new Emitter<void>();
  const place = windowPlace(vscode.env, vscode.env.uiKind === vscode.UIKind.Web);
  const isForwarded = place.kind === 'remote' || place.kind === 'wsl';
  const addresses = new Map<ServedBridge, string>();
  const forward = async (bridge: ServedBridge): Promise<void> => {
    const uri = await vscode.env.asExternalUri(vscode.Uri.parse(bridge.studioUrl, true));
    // The bridge was replaced meanwhile.
    if (!lifecycle.bridges().includes(bridge)) return;
    addresses.set(bridge, uri.authority);
    log.info('port forwarded', { remote: place.kind, address: uri.authority });
    changed.fire();
  };
  const failed = (error: unknown): void => log.error('failed to forward the port', error);
  store.add(
    followBridges(lifecycle, (bridge, alive) => {
      alive.defer(() => addresses.delete(bridge));
      if (isForwarded) forward(bridge).catch(failed);
      else addresses.set(bridge, new URL(bridge.studioUrl).host);
    }),
  );
  store.add(lifecycle.onDidChange(() => changed.fire()));
  return {
    place,
    address() {
      const state = lifecycle.state();
      return state.kind === 'running' ? addresses.get(state.bridge) : undefined;
    },
    onDidChange: changed.event,
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}
