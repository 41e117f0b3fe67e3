import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BridgeState } from '../../../src/vscode/bridge-lifecycle.ts';
import type { ServedBridge } from '../../../src/vscode/served-bridge.ts';
import { statusLine } from '../../../src/vscode/status.ts';
import type { LiveState } from '../../../src/studio/live/live-control.ts';
import type { LiveChange } from '../../../src/studio/live/live-session.ts';
import { AppError } from '../../../src/base/errors.ts';
import { plainL10n } from '../../../scripts/review-page/plain-l10n.ts';

const projectInvalid = new AppError('PROJECT_INVALID', {
  file: 'default.project.json',
  line: 3,
  column: 7,
  expected: 'a string',
});

const diagnostic = { file: 'src/a.meta.json', line: 2, column: 5, severity: 'error', message: 'expected a value' };

function bridge(more: {
  readonly phase?: string;
  readonly problem?: AppError;
  readonly place?: string;
  readonly open?: boolean;
  readonly broken?: boolean;
  readonly live?: {
    readonly mode: 'twoWay' | 'diskToStudio';
    readonly state: LiveState;
    readonly last?: LiveChange;
  };
}): BridgeState {
  const current = more.phase === undefined ? undefined : { phase: () => more.phase };
  const link =
    more.place === undefined ? undefined : { isOpen: () => more.open ?? true, hello: { placeName: more.place } };
  const made = {
    studioUrl: 'http://127.0.0.1:34873',
    mcpUrl: 'http://127.0.0.1:34873/mcp',
    engine: { current: () => current },
    studios: { all: () => (link === undefined ? [] : [link]) },
    session: () =>
      more.problem === undefined
        ? { info: { name: 'obby' }, diagnostics: () => (more.broken === true ? [diagnostic] : []) }
        : undefined,
    projectProblem: () => more.problem,
    live: {
      mode: () => more.live?.mode ?? 'off',
      state: () => more.live?.state ?? { kind: 'off' },
      lastChange: () => more.live?.last,
    },
  };
  return { kind: 'running', bridge: made as unknown as ServedBridge };
}
const line = (state: BridgeState) => statusLine(state, plainL10n);
const words = (state: BridgeState): string => line(state).text.replace(/^\$\([^)]*\) /, '');

test('describes each state and opens the place that explains it on click', () => {
  const states: readonly [BridgeState, string, string][] = [
    [{ kind: 'idle', why: 'restricted' }, 'Atlas Bridge: Restricted', 'workbench.trust.manage'],
    [{ kind: 'idle', why: 'noFolder' }, 'Atlas Bridge: no folder', 'workbench.action.files.openFolder'],
    [{ kind: 'starting' }, 'Atlas Bridge: starting', 'atlas.showLog'],
    [{ kind: 'failed', error: AppError.from(new Error('boom')) }, 'Atlas Bridge: failed', 'atlas.showLog'],
    [
      bridge({ problem: new AppError('NO_PROJECT', { folder: '/game', lookedFor: ['default.project.json'] }) }),
      'Atlas Bridge: no project',
      'atlas.reviewChanges',
    ],
    [bridge({ problem: projectInvalid }), 'Atlas Bridge: project error', 'workbench.actions.view.problems'],
    [bridge({}), 'Atlas Bridge: waiting for Studio at 34873', 'atlas.reviewChanges'],
    [bridge({ place: 'Obby' }), 'Atlas Bridge: Obby', 'atlas.reviewChanges'],
    [bridge({ place: 'Obby', phase: 'comparing' }), 'Atlas Bridge: syncing', 'atlas.showLog'],
    [bridge({ place: 'Obby', phase: 'reviewing' }), 'Atlas Bridge: needs your decision', 'atlas.reviewChanges'],
  ];
  for (const [state, text, command] of states) assert.deepEqual([words(state), line(state).command], [text, command]);
});

test('ignores a closed link', () => {
  assert.equal(words(bridge({ place: 'Obby', open: false })), 'Atlas Bridge: waiting for Studio at 34873');
});

test('highlights states that need the user, and lists the addresses in the tooltip', () => {
  assert.equal(line(bridge({ phase: 'reviewing' })).severity, 'warning');
  assert.equal(line(bridge({ problem: projectInvalid })).severity, 'error');
  assert.equal(line(bridge({ place: 'Obby' })).severity, 'normal');
  assert.match(line(bridge({ place: 'Obby' })).tooltip.join('\n'), /Studio: http:\S+34873\nAgents \(MCP\): \S+\/mcp$/);
  assert.match(line(bridge({ problem: projectInvalid })).tooltip.join('\n'), /default\.project\.json:3:7/);
});

test('reports an error in a project file with its position while the project stays open', () => {
  const said = line(bridge({ place: 'Obby', broken: true }));
  assert.equal(said.severity, 'warning');
  assert.deepEqual(said.tooltip.slice(0, 2), [
    'src/a.meta.json:2:5: expected a value',
    'The last valid version of the project stays in use.',
  ]);
});

test('shows the direction of Live Sync and its last change', () => {
  const on: LiveState = { kind: 'on' };
  const last: LiveChange = { path: 'ServerScriptService/Kit/Main', from: 'studio' };
  const cases = [
    [{ mode: 'diskToStudio', state: on }, 'Atlas Bridge: Obby · Live →', 'saved files update Studio'],
    [{ mode: 'twoWay', state: on, last }, 'Atlas Bridge: Obby · Live ↔ Main', 'files and Studio update each other'],
    [{ mode: 'twoWay', state: { kind: 'starting' } }, 'Atlas Bridge: Obby · Live: starting', 'update each other'],
    [{ mode: 'twoWay', state: { kind: 'failed', reason: 'no tree' } }, 'Atlas Bridge: Obby · Live: failed', 'no tree'],
    [{ mode: 'twoWay', state: { kind: 'unsupported' } }, 'Atlas Bridge: Obby', 'Project: obby'],
  ] as const;
  for (const [live, text, tooltip] of cases) {
    const state = bridge({ place: 'Obby', live });
    assert.equal(words(state), text);
    assert.ok(line(state).tooltip[0]?.includes(tooltip), line(state).tooltip[0]);
  }
  assert.equal(
    line(bridge({ place: 'Obby', live: cases[1][0] })).tooltip[1],
    `Last change: ${last.path}, from Studio.`,
  );
});
