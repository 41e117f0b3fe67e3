import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable-store.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { Logger } from '../ports/logger.ts';
import type { BridgeLifecycle, BridgeState } from './bridge-lifecycle.ts';
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
  let address: string | undefined;
  const forward = async (studioUrl: string): Promise<void> => {
    const uri = await vscode.env.asExternalUri(vscode.Uri.parse(studioUrl, true));
    const state = lifecycle.state();
    // The bridge was replaced meanwhile.
    if (state.kind !== 'running' || state.bridge.studioUrl !== studioUrl) return;
    address = uri.authority;
    log.info('port forwarded', { remote: place.kind, address });
    changed.fire();
  };
  const watch = (state: BridgeState): void => {
    address = state.kind === 'running' && !isForwarded ? new URL(state.bridge.studioUrl).host : undefined;
    changed.fire();
    if (state.kind !== 'running' || !isForwarded) return;
    forward(state.bridge.studioUrl).catch((error: unknown) => log.error('failed to forward the port', error));
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
