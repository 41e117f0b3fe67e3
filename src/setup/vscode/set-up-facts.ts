import * as vscode from 'vscode';
import type { AgentConnections } from '../agents/agent-connections.ts';
import type { SetUpFacts } from '../findings.ts';
import type { ToolFiles } from '../../ports/tool-files.ts';
import type { PluginDelivery } from '../../studio/delivery/plugin-delivery.ts';
import type { BridgeLifecycle } from '../../vscode/bridge-lifecycle.ts';
import type { ForwardedPort } from '../../vscode/forwarded-port.ts';
import type { ServedBridge } from '../../vscode/served-bridge.ts';
import { failureText } from '../../vscode/localization/person-sentence.ts';

export interface SetUpFactsDeps {
  readonly lifecycle: BridgeLifecycle;
  readonly delivery: PluginDelivery;
  readonly agents: AgentConnections;
  readonly version: string;
  /** The address of the bridge for Studio on the user's computer. */
  readonly forwarded: Pick<ForwardedPort, 'address' | 'place'>;
  /** The configured port. */
  readonly preferredPort: () => number;
  readonly git: () => Promise<SetUpFacts['git']>;
  readonly hasRipgrep: () => Promise<boolean>;
  readonly tools: () => Promise<ToolFiles>;
}

/** Collects the facts that Doctor checks. Changes nothing. */
export async function collectSetUpFacts(deps: SetUpFactsDeps): Promise<SetUpFacts> {
  const state = await deps.lifecycle.begin();
  const bridge = state.kind === 'running' ? state.bridge : undefined;
  const [plugin, git, hasRipgrep, tools, agents] = await Promise.all([
    deps.delivery.getPresence(),
    deps.git(),
    deps.hasRipgrep(),
    deps.tools(),
    deps.agents.list(),
  ]);
  return {
    version: deps.version,
    idle: state.kind === 'idle' ? state.why : undefined,
    failure: state.kind === 'failed' ? failureText(state.error, vscode.l10n) : undefined,
    port: bridge && { preferred: deps.preferredPort(), actual: Number(new URL(bridge.studioUrl).port) },
    project: bridge && projectOf(bridge),
    window: windowOf(deps.forwarded),
    plugin,
    studios: bridge === undefined ? [] : studiosOf(bridge),
    git,
    hasRipgrep,
    tools,
    agents,
    connectedAgents: bridge?.agents.connected() ?? [],
  };
}

const windowOf = ({ place, address }: SetUpFactsDeps['forwarded']): SetUpFacts['window'] =>
  place.kind === 'remote' || place.kind === 'wsl' ? { ...place, address: address() } : place;

function projectOf(bridge: ServedBridge): SetUpFacts['project'] {
  const problem = bridge.projectProblem();
  if (problem !== undefined)
    return {
      kind: problem.code === 'NO_PROJECT' ? 'missing' : 'broken',
      message: failureText(problem, vscode.l10n),
    };
  const session = bridge.session();
  if (session === undefined) return undefined;
  const problems = session
    .diagnostics()
    .filter(({ severity }) => severity === 'error')
    .map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`);
  return { kind: 'open', name: session.info.name, problems };
}

export const studiosOf = (bridge: ServedBridge): SetUpFacts['studios'] =>
  bridge.studios
    .all()
    .filter(link => link.isOpen())
    .map(link => ({
      handle: link.handle,
      placeName: link.hello.placeName,
      placeId: link.hello.placeId,
      pluginVersion: link.hello.pluginVersion,
      latencyMs: link.latencyMs?.(),
    }));
