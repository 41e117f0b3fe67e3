import type { BridgeLifecycle } from './bridge-lifecycle.ts';
import type { ServedBridge } from './served-bridge.ts';

/**
 * Stops the bridges of projects whose file was deleted. The active one stays, and reports the missing file. A running sync is not interrupted.
 *
 * @param exists whether the file of a project exists, by the `location.key` of its bridge
 * @param repeat called when the sync has ended that kept a bridge from being stopped
 */
export async function stopDeletedProjects(
  lifecycle: Pick<BridgeLifecycle, 'state' | 'bridges' | 'remove' | 'restartWhenFree'>,
  exists: (key: string) => Promise<boolean>,
  repeat: () => void,
): Promise<void> {
  for (const bridge of lifecycle.bridges()) {
    if (await exists(bridge.location.key)) continue;
    const state = lifecycle.state();
    if (state.kind !== 'running') return;
    if (state.bridge === bridge) continue;
    const run = bridge.engine.current();
    if (run !== undefined) {
      void run.result.then(repeat);
      continue;
    }
    const [first, ...others] = lifecycle.bridges().filter(one => hasRootOf(one, bridge));
    if (first !== bridge || others.length === 0) {
      await lifecycle.remove(bridge);
      continue;
    }
    // The other bridges of the folder use the Pluto modules of this one, and get their own when they start again.
    if ((bridge.pluto()?.unsaved.paths().length ?? 0) > 0) continue;
    void lifecycle.restartWhenFree();
    return;
  }
}

const hasRootOf = (one: ServedBridge, other: ServedBridge): boolean =>
  one.location.root.toString() === other.location.root.toString();
