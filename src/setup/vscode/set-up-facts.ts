import * as vscode from 'vscode';
import type { AgentConnections } from '../agents/agent-connections.ts';
import type { SetUpFacts } from '../findings.ts';
import type { ToolFiles } from '../../ports/tool-files.ts';
import type { PluginDelivery } from '../../studio/delivery/plugin-delivery.ts';
import type { BridgeLifecycle } from '../../vscode/bridge-lifecycle.ts';
import type { ForwardedPort } from '../../vscode/forwarded-port.ts';
import type { ServedBridge } from '../../vscode/served-bridge.ts';
import { unservedText } from '../../vscode/other-problems.ts';
import type { UnservedProjects } from '../../vscode/unserved-projects.ts';
import { projectLabel } from '../../vscode/project-label.ts';
import { failureText } from '../../vscode/localization/person-sentence.ts';

export interface SetUpFactsDeps {
  readonly lifecycle: BridgeLifecycle;
  readonly unserved: UnservedProjects;
  readonly delivery: PluginDelivery;
  readonly agents: AgentConnections;
  readonly version: string;
  /** The address of the bridge for Studio on the user's computer. */
  readonly forwarded: Pick<ForwardedPort, 'address' | 'place'>;
  /** The configured port. */
  readonly preferredPort: () => number;
  /** The configured port for Rojo's plugin. */
  readonly rojoPort: () => number | undefined;
  readonly sharedProjects: () => Promise<SetUpFacts['shared']>;
  readonly git: () => Promise<SetUpFacts['git']>;
  readonly hasRipgrep: () => Promise<boolean>;
  readonly tools: () => Promise<ToolFiles>;
}

/** Collects the facts that Doctor checks. Changes nothing. */
export async function collectSetUpFacts(deps: SetUpFactsDeps): Promise<SetUpFacts> {
  const state = await deps.lifecycle.begin();
  const bridge = state.kind === 'running' ? state.bridge : undefined;
  const [plugin, git, hasRipgrep, tools, agents, shared] = await Promise.all([
    deps.delivery.getPresence(),
    deps.git(),
    deps.hasRipgrep(),
    deps.tools(),
    deps.agents.list(),
    deps.sharedProjects(),
  ]);
  return {
    version: deps.version,
    idle: state.kind === 'idle' ? state.why : undefined,
    failure: state.kind === 'failed' ? failureText(state.error, vscode.l10n) : undefined,
    port: bridge && { preferred: deps.preferredPort(), actual: Number(new URL(bridge.studioUrl).port) },
    project: bridge && projectOf(bridge),
    rojo: rojoOf(deps.lifecycle.bridges(), deps.rojoPort()),
    shared,
    projects: projectsOf(deps.lifecycle.bridges()),
    unserved: deps.unserved.all().map(({ label, error }) => ({
      label,
      error: error && unservedText(label, error, vscode.l10n),
    })),
    window: windowOf(deps.forwarded),
    plugin,
    studios: bridge === undefined ? [] : studiosOf(bridge),
    git,
    hasRipgrep,
    tools,
    agents,
    connectedAgents: Array.from(new Map(agentsOf(deps.lifecycle).map(agent => [agent.name, agent])).values()),
  };
}

const rojoOf = (bridges: readonly ServedBridge[], port: number | undefined): SetUpFacts['rojo'] =>
  port === undefined || bridges.length === 0
    ? undefined
    : { port, isOpen: bridges.some(bridge => bridge.rojoUrl() !== undefined) };

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

const agentsOf = (lifecycle: BridgeLifecycle): SetUpFacts['connectedAgents'] =>
  lifecycle.bridges().flatMap(({ agents }) => agents.connected());

function projectsOf(bridges: readonly ServedBridge[]): SetUpFacts['projects'] {
  if (bridges.length < 2) return [];
  return bridges.map(bridge => {
    const problem = bridge.projectProblem();
    return {
      label: projectLabel(bridges, bridge),
      port: Number(new URL(bridge.studioUrl).port),
      problem: problem && failureText(problem, vscode.l10n),
      places: studiosOf(bridge).map(({ placeName }) => placeName),
    };
  });
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
