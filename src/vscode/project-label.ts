import type { BridgeLifecycle } from './bridge-lifecycle.ts';
import type { ServedBridge } from './served-bridge.ts';

/** The name of a project, or the path of its file if another project of the window has the same name. */
export function projectLabel(bridges: readonly ServedBridge[], bridge: ServedBridge): string {
  const name = nameOf(bridge);
  return bridges.some(other => other !== bridge && nameOf(other) === name) ? bridge.location.label : name;
}

/** The project that a window with several projects shows, and the labels of the others. */
export interface ActiveProject {
  readonly label: string;
  readonly others: readonly string[];
}

/** The active project; `undefined` if the window serves only one. */
export function activeProject(lifecycle: Pick<BridgeLifecycle, 'state' | 'bridges'>): ActiveProject | undefined {
  const state = lifecycle.state();
  const bridges = lifecycle.bridges();
  if (state.kind !== 'running' || bridges.length < 2) return undefined;
  const others = bridges.filter(bridge => bridge !== state.bridge).map(bridge => projectLabel(bridges, bridge));
  return { label: projectLabel(bridges, state.bridge), others };
}

/** A description of a view, with the active project of several. */
export const withActiveProject = (lifecycle: Parameters<typeof activeProject>[0], description: string): string =>
  Array.from(new Set([activeProject(lifecycle)?.label ?? '', description]))
    .filter(part => part !== '')
    .join(' · ');

const nameOf = (bridge: ServedBridge): string => bridge.session()?.info.name ?? bridge.location.label;
