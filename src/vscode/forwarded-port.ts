import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable-store.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { Logger } from '../ports/logger.ts';
import type { BridgeLifecycle, BridgeState } from './bridge-lifecycle.ts';
import { type WindowPlace, windowPlace } from './window-place.ts';

/** Where Studio, which runs where the person sits, reaches the bridge of this window. */
export interface ForwardedPort extends Disposable {
  readonly place: WindowPlace;
  /** `host:port`, as the plugin's window takes it; `undefined` while there is no bridge, or while its port is not forwarded. */
  address(): string | undefined;
  readonly onDidChange: Event<void>;
}

/** In a remote window VS Code forwards the port to the person's machine, at the same number where that is free. */
export function createForwardedPort(lifecycle: BridgeLifecycle, log: Logger): ForwardedPort {
  const store = new DisposableStore();
  const changed = new Emitter<void>();
  const place = windowPlace(vscode.env, vscode.env.uiKind === vscode.UIKind.Web);
  const isForwarded = place.kind === 'remote' || place.kind === 'wsl';
  let address: string | undefined;
  const forward = async (studioUrl: string): Promise<void> => {
    const uri = await vscode.env.asExternalUri(vscode.Uri.parse(studioUrl, true));
    const state = lifecycle.state();
    // Another bridge has come meanwhile.
    if (state.kind !== 'running' || state.bridge.studioUrl !== studioUrl) return;
    address = uri.authority;
    log.info('the port is forwarded to the machine of the window', { remote: place.kind, address });
    changed.fire();
  };
  const watch = (state: BridgeState): void => {
    address = state.kind === 'running' && !isForwarded ? new URL(state.bridge.studioUrl).host : undefined;
    changed.fire();
    if (state.kind !== 'running' || !isForwarded) return;
    forward(state.bridge.studioUrl).catch((error: unknown) => log.error('the port was not forwarded', error));
  };
  store.add(lifecycle.onDidChange(watch));
  watch(lifecycle.state());
  return {
    place,
    address: () => address,
    onDidChange: changed.event,
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}
