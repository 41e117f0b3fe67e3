import { nameOfPath } from '../protocol/path-name.ts';
import { AppError } from '../base/errors.ts';
import { plural } from '../base/plural.ts';
import { reasonText } from '../protocol/reason.ts';
import type { ReviewStatus } from '../protocol/review.ts';
import { commandIds } from './command-ids.ts';
import type { BridgeState } from './bridge-lifecycle.ts';
import type { OtherProblem } from './other-problems.ts';
import type { ActiveProject } from './project-label.ts';
import type { Localize } from './localization/localize.ts';
import { personSentence } from './localization/person-sentence.ts';

/** The content of the status bar item. `command` opens the place that explains or resolves the state. */
export interface StatusLine {
  /** Name of an icon of VS Code. */
  readonly icon: string;
  readonly text: string;
  /** Number of changes, if there are any; shown after the text. */
  readonly changeCount?: number;
  /** One entry per line, without Markdown. */
  readonly tooltip: readonly string[];
  readonly command: string;
  readonly arguments?: readonly unknown[];
  readonly severity: 'normal' | 'warning' | 'error';
}

/**
 * Describes the current state of the bridge. Derived from the bridge on every call, never cached.
 *
 * @param differing number of changes in the latest comparison; `undefined` if there was none
 * @param project the active one of several projects; `undefined` if the window serves only one
 * @param problems the errors of the other projects
 * @param review the review that waits for a person
 */
export function statusLine(
  state: BridgeState,
  { t }: Localize,
  differing?: number,
  project?: ActiveProject,
  problems: readonly OtherProblem[] = [],
  review?: ReviewStatus,
): StatusLine {
  const line = stateLine(state, { t }, differing, review);
  const others = project && t('This window also serves: {0}', project.others.join(', '));
  const named =
    project === undefined || others === undefined
      ? line
      : { ...line, text: `${line.text} · ${project.label}`, tooltip: [...line.tooltip, others] };
  return withOtherProblems(named, problems, isBusy(state), { t });
}

const isBusy = (state: BridgeState): boolean => state.kind === 'running' && state.bridge.engine.current() !== undefined;

/** Names the errors of other projects. A run, or an error of the active project, keeps the icon and the command. */
function withOtherProblems(
  line: StatusLine,
  problems: readonly OtherProblem[],
  isRunning: boolean,
  { t }: Localize,
): StatusLine {
  const [first] = problems;
  if (first === undefined) return line;
  const text = plural(
    problems.length,
    t('error in {0}', first.project),
    t('errors in {0} other projects', problems.length),
  );
  const errors = problems.map(one => one.text);
  if (isRunning || line.severity !== 'normal')
    return { ...line, text: `${line.text} · ${text}`, tooltip: [...line.tooltip, ...errors] };
  return {
    ...line,
    icon: 'warning',
    text: problemFirst(text, line.text, { t }),
    tooltip: [...errors, ...line.tooltip],
    severity: 'warning',
    command: 'workbench.actions.view.problems',
  };
}

function stateLine(
  state: BridgeState,
  { t }: Localize,
  differing: number | undefined,
  review: ReviewStatus | undefined,
): StatusLine {
  switch (state.kind) {
    case 'idle':
      return state.why === 'restricted'
        ? {
            icon: 'shield',
            text: t('Atlas Bridge: Restricted'),
            tooltip: [t('Atlas Bridge opens no port and runs no git until you trust this workspace.')],
            command: 'workbench.trust.manage',
            severity: 'normal',
          }
        : {
            icon: 'circle-slash',
            text: t('Atlas Bridge: no folder'),
            tooltip: [t('Open a folder with a project file to sync it with Roblox Studio.')],
            command: 'workbench.action.files.openFolder',
            severity: 'normal',
          };
    case 'starting':
      return {
        icon: 'sync~spin',
        text: t('Atlas Bridge: starting'),
        tooltip: [t('Atlas Bridge is reading the project.')],
        command: commandIds.showLog,
        severity: 'normal',
      };
    case 'failed':
      return {
        icon: 'error',
        text: t('Atlas Bridge: failed'),
        tooltip: [personSentence(state.error, { t })],
        command: commandIds.showLog,
        severity: 'error',
      };
    case 'running':
      return runningLine(state.bridge, { t }, differing, review);
  }
}

type Bridge = Extract<BridgeState, { kind: 'running' }>['bridge'];

function runningLine(
  bridge: Bridge,
  { t }: Localize,
  differing: number | undefined,
  review: ReviewStatus | undefined,
): StatusLine {
  const addresses = [t('Studio: {0}', bridge.studioUrl), t('Agents (MCP): {0}', bridge.mcpUrl)];
  if (review !== undefined) {
    const isPluto = review.sides === 'pluto';
    return {
      icon: 'bell-dot',
      text: t('Atlas Bridge: needs your decision'),
      tooltip: [
        isPluto
          ? t('The sync of {0} needs your decision. Click to open the review.', review.placeName)
          : t('A sync needs your decision. Click to open the review.'),
        ...addresses,
      ],
      command: isPluto ? commandIds.syncPt : commandIds.review,
      ...(isPluto && { arguments: [review.placeName] }),
      severity: 'warning',
    };
  }
  const run = bridge.engine.current();
  if (run !== undefined)
    return {
      icon: 'sync~spin',
      text: t('Atlas Bridge: syncing'),
      tooltip: [phaseText(run.phase(), { t }), ...addresses],
      command: commandIds.showLog,
      severity: 'normal',
    };
  const problem = bridge.projectProblem();
  if (problem !== undefined) {
    const hasNone = problem.code === 'NO_PROJECT';
    const path = AppError.is(problem, 'PROJECT_INVALID') ? problem.details.missing?.path : undefined;
    return {
      icon: hasNone ? 'circle-slash' : 'warning',
      text: hasNone ? t('Atlas Bridge: no project') : errorText(path, { t }),
      tooltip: [personSentence(problem, { t }), ...addresses],
      command: hasNone ? commandIds.review : 'workbench.actions.view.problems',
      severity: hasNone ? 'normal' : 'error',
    };
  }
  const diagnostics = bridge.session()?.diagnostics() ?? [];
  const broken = diagnostics.find(({ severity }) => severity === 'error');
  if (broken !== undefined)
    return {
      icon: 'warning',
      text: errorText(broken.missing?.path, { t }),
      tooltip: [describe(broken), t('The last valid version of the project stays in use.'), ...addresses],
      command: 'workbench.actions.view.problems',
      severity: 'warning',
    };
  const line = connectionLine(bridge, addresses, { t }, differing);
  const missing = diagnostics.filter(one => one.missing !== undefined);
  const [first] = missing;
  if (first?.missing === undefined) return line;
  return {
    ...line,
    icon: 'warning',
    text: problemFirst(
      plural(missing.length, t('missing {0}', first.missing.path), t('{0} missing paths', missing.length)),
      line.text,
      { t },
    ),
    tooltip: [...missing.map(describe), ...line.tooltip],
    command: 'workbench.actions.view.problems',
    severity: 'warning',
  };
}

/** Names a problem before the connection, because VS Code cuts the end in a narrow window. */
function problemFirst(problem: string, text: string, { t }: Localize): string {
  const prefix = t('Atlas Bridge: {0}', '');
  return text.startsWith(prefix) ? `${prefix}${problem} · ${text.slice(prefix.length)}` : `${text} · ${problem}`;
}

const errorText = (missing: string | undefined, { t }: Localize): string =>
  missing === undefined ? t('Atlas Bridge: project error') : t('Atlas Bridge: missing {0}', missing);

type Diagnostic = ReturnType<NonNullable<ReturnType<Bridge['session']>>['diagnostics']>[number];

const describe = ({ file, line, column, message }: Diagnostic): string => `${file}:${line}:${column}: ${message}`;

/** The Studios, Live Sync and the changes of a project without problems. */
function connectionLine(
  bridge: Bridge,
  addresses: readonly string[],
  { t }: Localize,
  differing: number | undefined,
): StatusLine {
  const studios = bridge.studios.all().filter(one => one.isOpen());
  const [studio] = studios;
  const project = bridge.session()?.info.name ?? '';
  if (studio === undefined)
    return {
      icon: 'debug-disconnect',
      text: t('Atlas Bridge: waiting for Studio at {0}', new URL(bridge.studioUrl).port),
      tooltip: [t('Project: {0}', project), t('No Roblox Studio is connected.'), ...addresses],
      command: commandIds.review,
      severity: 'normal',
    };
  const where = plural(
    studios.length,
    t('Atlas Bridge: {0}', studio.hello.placeName),
    t('Atlas Bridge: {0} Studios', studios.length),
  );
  const live = liveLine(bridge.live, { t });
  const liveState = bridge.live.state();
  const hasFailed = liveState.kind === 'failed';
  return {
    icon: hasFailed ? 'warning' : 'plug',
    text: hasFailed
      ? problemFirst(t('Live Sync failed'), where, { t })
      : live === undefined
        ? where
        : `${where} · ${live.text}`,
    ...(differing === undefined || differing === 0 ? {} : { changeCount: differing }),
    tooltip: [
      ...(hasFailed ? [t('Live Sync failed: {0}', reasonText(liveState.reason, t))] : (live?.tooltip ?? [])),
      t('Project: {0}', project),
      ...studios.map(({ handle, hello }) =>
        studios.length === 1
          ? t('Connected to place: {0}', hello.placeName)
          : t('Connected to place: {0} ({1})', hello.placeName, handle),
      ),
      ...(differing === undefined ? [] : [differingText(differing, { t })]),
      hasFailed ? t('Click to start Live Sync again.') : t('Click to review the changes.'),
      ...addresses,
    ],
    command: hasFailed ? commandIds.startLive : commandIds.review,
    ...(hasFailed && { arguments: [bridge.live.mode()] }),
    severity: hasFailed ? 'warning' : 'normal',
  };
}

/** The direction of Live Sync and its last change; `undefined` while it is off or failed, or if the plugin syncs itself. */
function liveLine(
  live: Bridge['live'],
  { t }: Localize,
): { readonly text: string; readonly tooltip: readonly string[] } | undefined {
  const mode = live.mode();
  const state = live.state();
  if (mode === 'off' || ['off', 'failed', 'unsupported'].includes(state.kind)) return undefined;
  const isTwoWay = mode === 'twoWay';
  const direction = isTwoWay
    ? t('Live Sync is on: files and Studio update each other.')
    : t('Live Sync is on: saved files update Studio.');
  if (state.kind !== 'on') return { text: t('Live: starting'), tooltip: [direction] };
  const arrow = isTwoWay ? '↔' : '→';
  const last = live.lastChange();
  if (last === undefined) return { text: t('Live {0}', arrow), tooltip: [direction] };
  return {
    text: t('Live {0} {1}', arrow, nameOfPath(last)),
    tooltip: [
      direction,
      last.from === 'studio'
        ? t('Last change: {0}, from Studio.', last.path)
        : t('Last change: {0}, from disk.', last.path),
    ],
  };
}

function differingText(differing: number, { t }: Localize): string {
  if (differing === 0) return t('No differences.');
  return plural(
    differing,
    t('1 change between disk and Studio.'),
    t('{0} changes between disk and Studio.', differing),
  );
}

function phaseText(phase: string, { t }: Localize): string {
  switch (phase) {
    case 'comparing':
      return t('Sync in progress: comparing both sides.');
    case 'applying':
      return t('Sync in progress: applying your decisions.');
    case 'verifying':
      return t('Sync in progress: verifying the result.');
    default:
      return t('Sync in progress.');
  }
}
