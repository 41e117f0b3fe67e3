import type { AgentState } from './agents/agent-connections.ts';
import type { ConnectedAgent } from './agents/agent-presence.ts';
import type { ToolFiles } from '../ports/tool-files.ts';
import type { PluginPresence } from '../studio/delivery/plugin-delivery.ts';

/** A connected Studio. */
export interface StudioFact {
  readonly handle: string;
  readonly placeName: string;
  readonly placeId: number;
  readonly pluginVersion: string | undefined;
  readonly latencyMs: number | undefined;
}

/** One of several projects of the window. */
export interface ProjectFact {
  /** Its name, or the path of its file if another project has the same name. */
  readonly label: string;
  readonly port: number;
  /** Why the project is not open; `undefined` if it is. */
  readonly problem: string | undefined;
  /** The names of the places of its Studios. */
  readonly places: readonly string[];
}

/** The current state of everything that Doctor checks. */
export interface SetUpFacts {
  readonly version: string;
  /** Why the bridge cannot start; `undefined` if it can. */
  readonly idle: 'restricted' | 'noFolder' | undefined;
  /** Why the bridge did not start. */
  readonly failure: string | undefined;
  readonly port: { readonly preferred: number; readonly actual: number } | undefined;
  readonly project:
    | { readonly kind: 'open'; readonly name: string; readonly problems: readonly string[] }
    | { readonly kind: 'missing'; readonly message: string }
    | { readonly kind: 'broken'; readonly message: string }
    | undefined;
  /** The port for Rojo's plugin, and whether this window has it; `undefined` if none was requested. */
  readonly rojo: { readonly port: number; readonly isOpen: boolean } | undefined;
  /** Projects that another window serves too, with their ports in both windows. */
  readonly shared: readonly { readonly project: string; readonly port: number; readonly otherPort: number }[];
  /** All projects of a window with several; empty if there is only one. */
  readonly projects: readonly ProjectFact[];
  /** Projects of the window without a bridge. `error`: that of the file; `undefined` if the window serves as many as it can. */
  readonly unserved: readonly { readonly label: string; readonly error: string | undefined }[];
  /** For a remote window (SSH, WSL, a container): its name, and the address for Studio on the user's own computer. */
  readonly window:
    | { readonly kind: 'here' }
    | { readonly kind: 'wsl' | 'remote'; readonly name: string; readonly address: string | undefined }
    | { readonly kind: 'browser'; readonly name: string };
  readonly plugin: PluginPresence;
  readonly studios: readonly StudioFact[];
  /** Whether git was found, and the folder is in a repository. */
  readonly git: 'missing' | 'noRepository' | 'found';
  readonly hasRipgrep: boolean;
  readonly tools: ToolFiles;
  readonly agents: readonly AgentState[];
  readonly connectedAgents: readonly ConnectedAgent[];
}

/** An action that fixes a finding with one click. */
export type Fix =
  | 'trust'
  | 'openFolder'
  | 'createProject'
  | 'showProblems'
  | 'showLog'
  | 'installPlugin'
  | 'savePlugin'
  | 'connectAgent'
  | 'showPorts'
  | 'openRipgrepSetting'
  | 'createRepository';

/** The checks; one check can have several findings. */
export type FindingId =
  | 'workspace'
  | 'project'
  | 'bridge'
  | 'projects'
  | 'remote'
  | 'plugin'
  | 'studio'
  | 'place'
  | 'roundTrip'
  | 'agent'
  | 'agentFiles'
  | 'git'
  | 'tools'
  | 'search';

/** The result of one check. `todo`: not done yet. `broken`: does not work. */
export interface SetupFinding {
  readonly id: FindingId;
  readonly state: 'ok' | 'todo' | 'broken';
  /** The key and values of its text; `findingText` has the text. */
  readonly says: { readonly key: string; readonly values: readonly (string | number)[] };
  readonly fix: Fix | undefined;
}

/** A noticeable delay. A Studio on the same machine answers in 1–2 ms. */
const SLOW_MS = 100;

const ok = (id: FindingId, key: string, ...values: (string | number)[]): SetupFinding => ({
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
): SetupFinding => ({ id, state, says: { key, values }, fix });

/** Runs all checks. The findings are in the order in which a user would fix them. */
export function findings(facts: SetUpFacts): readonly SetupFinding[] {
  const workspace = workspaceFinding(facts);
  return [
    workspace,
    ...(workspace.state === 'ok'
      ? [
          projectFinding(facts),
          bridgeFinding(facts),
          ...sharedFindings(facts),
          ...projectsFindings(facts),
          ...remoteFindings(facts),
        ]
      : []),
    pluginFinding(facts),
    ...studioFindings(facts),
    agentFinding(facts),
    ...agentFileFindings(facts),
    gitFinding(facts),
    ...toolFindings(facts),
    facts.hasRipgrep ? ok('search', 'search.ripgrep') : notOk('todo', 'search', 'openRipgrepSetting', 'search.walks'),
  ];
}

function gitFinding({ git, idle }: SetUpFacts): SetupFinding {
  if (git === 'found') return ok('git', 'git.found');
  if (git === 'missing') return notOk('todo', 'git', undefined, 'git.missing');
  // Without a folder there is nothing to commit.
  return idle === undefined ? notOk('todo', 'git', 'createRepository', 'git.noRepository') : ok('git', 'git.installed');
}

function toolFindings({ tools: { files, lacksPackages } }: SetUpFacts): readonly SetupFinding[] {
  if (files.length === 0) return [];
  return [
    lacksPackages
      ? notOk('todo', 'tools', undefined, 'tools.noPackages')
      : ok('tools', 'tools.found', files.join(', ')),
  ];
}

function workspaceFinding({ idle }: SetUpFacts): SetupFinding {
  if (idle === 'restricted') return notOk('todo', 'workspace', 'trust', 'workspace.restricted');
  if (idle === 'noFolder') return notOk('todo', 'workspace', 'openFolder', 'workspace.none');
  return ok('workspace', 'workspace.open');
}

function projectFinding({ project }: SetUpFacts): SetupFinding {
  if (project === undefined) return notOk('broken', 'project', 'showLog', 'project.unknown');
  if (project.kind === 'missing') return notOk('todo', 'project', 'createProject', 'project.missing');
  if (project.kind === 'broken') return notOk('broken', 'project', 'showProblems', 'project.broken', project.message);
  const [first] = project.problems;
  return first === undefined
    ? ok('project', 'project.open', project.name)
    : notOk('broken', 'project', 'showProblems', 'project.problems', project.name, project.problems.length, first);
}

/** A project or port that another window has too. Neither is an error: each window works with the Studios that connect to it. */
const sharedFindings = ({ rojo, shared }: SetUpFacts): readonly SetupFinding[] => [
  ...shared.map(({ project, port, otherPort }) => ok('bridge', 'bridge.shared', project, otherPort, port)),
  ...(rojo === undefined || rojo.isOpen ? [] : [ok('bridge', 'bridge.rojoTaken', rojo.port)]),
];

function bridgeFinding({ failure, port }: SetUpFacts): SetupFinding {
  if (failure !== undefined) return notOk('broken', 'bridge', 'showLog', 'bridge.failed', failure);
  if (port === undefined) return notOk('broken', 'bridge', 'showLog', 'bridge.starting');
  return port.preferred === 0 || port.preferred === port.actual
    ? ok('bridge', 'bridge.listens', port.actual)
    : ok('bridge', 'bridge.otherPort', port.actual, port.preferred);
}

function projectsFindings({ projects, unserved }: SetUpFacts): readonly SetupFinding[] {
  const served = projects.map(({ label, port, problem, places }) => {
    if (problem !== undefined)
      return notOk('broken', 'projects', 'showProblems', 'projects.broken', label, port, problem);
    return places.length === 0
      ? ok('projects', 'projects.waiting', label, port)
      : ok('projects', 'projects.connected', label, port, places.join(', '));
  });
  const others = unserved.map(({ label, error }) =>
    error === undefined
      ? notOk('todo', 'projects', undefined, 'projects.tooMany', label)
      : notOk('broken', 'projects', 'showProblems', 'projects.unserved', label, error),
  );
  return [...served, ...others];
}

function remoteFindings({ window, port }: SetUpFacts): readonly SetupFinding[] {
  if (window.kind === 'here' || port === undefined) return [];
  if (window.kind === 'browser') return [ok('remote', 'remote.browser', window.name, port.actual)];
  return window.address === undefined
    ? [notOk('todo', 'remote', 'showPorts', 'remote.notForwarded', window.name, port.actual)]
    : [ok('remote', 'remote.forwarded', window.name, window.address)];
}

function pluginFinding({ plugin, version, window, studios }: SetUpFacts): SetupFinding {
  // The plugin is on the user's own computer, so only a connected plugin can report its version.
  if (window.kind === 'remote')
    return studios.some(({ pluginVersion }) => pluginVersion === version)
      ? ok('plugin', 'plugin.current', version)
      : notOk('todo', 'plugin', 'savePlugin', 'plugin.elsewhere');
  switch (plugin.kind) {
    case 'current':
      return ok('plugin', 'plugin.current', version);
    case 'outdated':
      return notOk('todo', 'plugin', 'installPlugin', 'plugin.outdated');
    case 'oldKey':
      return notOk('todo', 'plugin', 'installPlugin', 'plugin.oldKey');
    case 'absent':
      return notOk('todo', 'plugin', 'installPlugin', 'plugin.absent');
    case 'foreign':
      return notOk('broken', 'plugin', undefined, 'plugin.foreign', plugin.file);
    case 'noStudio':
      return notOk('todo', 'plugin', undefined, 'plugin.noStudio');
  }
}

function studioFindings({ studios, version, projects, project }: SetUpFacts): readonly SetupFinding[] {
  const [studio] = studios;
  if (studio === undefined && project?.kind === 'open' && projects.some(({ places }) => places.length > 0))
    return [notOk('todo', 'studio', undefined, 'studio.noneOfProject', project.name)];
  if (studio === undefined) return [notOk('todo', 'studio', undefined, 'studio.none')];
  const old = studios.find(({ pluginVersion }) => pluginVersion !== undefined && pluginVersion !== version);
  const latency = studio.latencyMs;
  return [
    old === undefined
      ? ok('studio', 'studio.seen', studios.map(({ placeName }) => placeName).join(', '))
      : notOk('todo', 'studio', undefined, 'studio.oldPlugin', old.placeName, old.pluginVersion ?? '', version),
    // A Studio with another place is rejected in the handshake, so a connected one matches.
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

function agentFinding({ connectedAgents: seenAgents, agents }: SetUpFacts): SetupFinding {
  if (seenAgents.length > 0) return ok('agent', 'agent.seen', seenAgents.map(({ name }) => name).join(', '));
  const configured = agents.filter(({ state }) => state === 'connected').map(({ client }) => client.title);
  return configured.length > 0
    ? notOk('todo', 'agent', undefined, 'agent.configured', configured.join(', '))
    : notOk('todo', 'agent', 'connectAgent', 'agent.none');
}

function agentFileFindings({ agents }: SetUpFacts): readonly SetupFinding[] {
  return agents.flatMap(({ client, file, state }): readonly SetupFinding[] => {
    if (state === 'outdated') return [notOk('todo', 'agentFiles', 'connectAgent', 'agentFiles.outdated', client.title)];
    if (state === 'foreign')
      return [notOk('broken', 'agentFiles', undefined, 'agentFiles.foreign', client.title, file)];
    if (state === 'unreadable')
      return [notOk('broken', 'agentFiles', undefined, 'agentFiles.unreadable', client.title, file)];
    return [];
  });
}
