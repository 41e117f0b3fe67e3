import type { AgentState } from './agents/agent-connections.ts';
import type { ConnectedAgent } from './agents/agent-presence.ts';
import type { PluginPresence } from '../studio/delivery/plugin-delivery.ts';

/** A Studio that is connected. */
export interface StudioFact {
  readonly handle: string;
  readonly placeName: string;
  readonly placeId: number;
  readonly pluginVersion: string | undefined;
  readonly latencyMs: number | undefined;
}

/** Everything that the doctor looks at, as it is now. */
export interface SetUpFacts {
  readonly version: string;
  /** `undefined`: the bridge runs. */
  readonly idle: 'restricted' | 'noFolder' | undefined;
  /** Why the bridge did not start. */
  readonly failure: string | undefined;
  readonly port: { readonly wished: number; readonly got: number } | undefined;
  readonly project:
    | { readonly kind: 'open'; readonly name: string; readonly problems: readonly string[] }
    | { readonly kind: 'missing'; readonly message: string }
    | { readonly kind: 'broken'; readonly message: string }
    | undefined;
  /** Where the window shows another machine (SSH, WSL, a container): what it is called, and where Studio on the person's own machine connects. */
  readonly window:
    | { readonly kind: 'here' }
    | { readonly kind: 'wsl' | 'remote'; readonly name: string; readonly address: string | undefined }
    | { readonly kind: 'browser'; readonly name: string };
  readonly plugin: PluginPresence;
  readonly studios: readonly StudioFact[];
  readonly hasGit: boolean;
  readonly hasRipgrep: boolean;
  readonly agents: readonly AgentState[];
  readonly connectedAgents: readonly ConnectedAgent[];
}

/** What can be done about a finding, by one press. */
export type Fix =
  | 'trust'
  | 'openFolder'
  | 'createProject'
  | 'showProblems'
  | 'showLog'
  | 'installPlugin'
  | 'savePlugin'
  | 'connectAgent'
  | 'openPortSetting'
  | 'showPorts'
  | 'openRipgrepSetting';

export type FindingId =
  | 'workspace'
  | 'project'
  | 'bridge'
  | 'remote'
  | 'plugin'
  | 'studio'
  | 'place'
  | 'roundTrip'
  | 'agent'
  | 'agentFiles'
  | 'git'
  | 'search';

/** `ok`: as it should be. `todo`: not done yet. `broken`: does not work. */
export interface Finding {
  readonly id: FindingId;
  readonly state: 'ok' | 'todo' | 'broken';
  /** Which sentence, with its values; the surface has the words. */
  readonly says: { readonly key: string; readonly values: readonly (string | number)[] };
  readonly fix: Fix | undefined;
}

/** Above this a person notices; a Studio on the same machine answers in one or two. */
const SLOW_MS = 100;

const ok = (id: FindingId, key: string, ...values: (string | number)[]): Finding => ({
  id,
  state: 'ok',
  says: { key, values },
  fix: undefined,
});
const notOk = (
  state: 'todo' | 'broken',
  id: FindingId,
  fix: Fix | undefined,
  key: string,
  ...values: (string | number)[]
): Finding => ({ id, state, says: { key, values }, fix });

/** What is well and what is not, in the order in which a person would put it right. */
export function findings(facts: SetUpFacts): readonly Finding[] {
  const workspace = workspaceFinding(facts);
  return [
    workspace,
    ...(workspace.state === 'ok' ? [projectFinding(facts), bridgeFinding(facts), ...remoteFindings(facts)] : []),
    pluginFinding(facts),
    ...studioFindings(facts),
    agentFinding(facts),
    ...agentFileFindings(facts),
    facts.hasGit ? ok('git', 'git.found') : notOk('todo', 'git', undefined, 'git.missing'),
    facts.hasRipgrep ? ok('search', 'search.ripgrep') : notOk('todo', 'search', 'openRipgrepSetting', 'search.walks'),
  ];
}

function workspaceFinding({ idle }: SetUpFacts): Finding {
  if (idle === 'restricted') return notOk('todo', 'workspace', 'trust', 'workspace.restricted');
  if (idle === 'noFolder') return notOk('todo', 'workspace', 'openFolder', 'workspace.none');
  return ok('workspace', 'workspace.open');
}

function projectFinding({ project }: SetUpFacts): Finding {
  if (project === undefined) return notOk('broken', 'project', 'showLog', 'project.unknown');
  if (project.kind === 'missing') return notOk('todo', 'project', 'createProject', 'project.missing');
  if (project.kind === 'broken') return notOk('broken', 'project', 'showProblems', 'project.broken', project.message);
  const [first] = project.problems;
  return first === undefined
    ? ok('project', 'project.open', project.name)
    : notOk('broken', 'project', 'showProblems', 'project.problems', project.name, project.problems.length, first);
}

function bridgeFinding({ failure, port }: SetUpFacts): Finding {
  if (failure !== undefined) return notOk('broken', 'bridge', 'showLog', 'bridge.failed', failure);
  if (port === undefined) return notOk('broken', 'bridge', 'showLog', 'bridge.starting');
  return port.wished === 0 || port.wished === port.got
    ? ok('bridge', 'bridge.listens', port.got)
    : ok('bridge', 'bridge.otherPort', port.got, port.wished);
}

function remoteFindings({ window, port }: SetUpFacts): readonly Finding[] {
  if (window.kind === 'here' || port === undefined) return [];
  if (window.kind === 'browser') return [ok('remote', 'remote.browser', window.name, port.got)];
  return window.address === undefined
    ? [notOk('todo', 'remote', 'showPorts', 'remote.notForwarded', window.name, port.got)]
    : [ok('remote', 'remote.forwarded', window.name, window.address)];
}

function pluginFinding({ plugin, version, window, studios }: SetUpFacts): Finding {
  // The plugin lies where the person sits, and this machine knows of it only what it says itself.
  if (window.kind === 'remote')
    return studios.some(({ pluginVersion }) => pluginVersion === version)
      ? ok('plugin', 'plugin.current', version)
      : notOk('todo', 'plugin', 'savePlugin', 'plugin.elsewhere');
  switch (plugin.kind) {
    case 'current':
      return ok('plugin', 'plugin.current', version);
    case 'outdated':
      return notOk('todo', 'plugin', 'installPlugin', 'plugin.outdated');
    case 'absent':
      return notOk('todo', 'plugin', 'installPlugin', 'plugin.absent');
    case 'foreign':
      return notOk('broken', 'plugin', undefined, 'plugin.foreign', plugin.file);
    case 'noStudio':
      return notOk('todo', 'plugin', undefined, 'plugin.noStudio');
  }
}

function studioFindings({ studios, version }: SetUpFacts): readonly Finding[] {
  const [studio] = studios;
  if (studio === undefined) return [notOk('todo', 'studio', undefined, 'studio.none')];
  const old = studios.find(({ pluginVersion }) => pluginVersion !== undefined && pluginVersion !== version);
  const latency = studio.latencyMs;
  return [
    old === undefined
      ? ok('studio', 'studio.seen', studios.map(({ placeName }) => placeName).join(', '))
      : notOk('todo', 'studio', undefined, 'studio.oldPlugin', old.placeName, old.pluginVersion ?? '', version),
    // One that the project does not serve is refused at its greeting.
    studio.placeId === 0
      ? ok('place', 'place.fileMatches', studio.placeName)
      : ok('place', 'place.matches', studio.placeName, studio.placeId),
    ...(latency === undefined
      ? []
      : [
          latency <= SLOW_MS
            ? ok('roundTrip', 'roundTrip.fast', Math.max(1, Math.round(latency)))
            : notOk('broken', 'roundTrip', undefined, 'roundTrip.slow', Math.round(latency)),
        ]),
  ];
}

function agentFinding({ connectedAgents: seenAgents }: SetUpFacts): Finding {
  const latest = seenAgents.at(-1);
  return latest === undefined
    ? notOk('todo', 'agent', 'connectAgent', 'agent.none')
    : ok('agent', 'agent.seen', latest.name);
}

function agentFileFindings({ agents }: SetUpFacts): readonly Finding[] {
  return agents.flatMap(({ client, file, state }): readonly Finding[] => {
    if (state === 'outdated') return [notOk('todo', 'agentFiles', 'connectAgent', 'agentFiles.outdated', client.title)];
    if (state === 'foreign')
      return [notOk('broken', 'agentFiles', undefined, 'agentFiles.foreign', client.title, file)];
    if (state === 'unreadable')
      return [notOk('broken', 'agentFiles', undefined, 'agentFiles.unreadable', client.title, file)];
    return [];
  });
}
