import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BridgeState } from '../../../src/vscode/bridge-lifecycle.ts';
import type { ServedBridge } from '../../../src/vscode/served-bridge.ts';
import { statusLine } from '../../../src/vscode/status.ts';
import type { ReviewStatus } from '../../../src/protocol/review.ts';
import type { LiveState } from '../../../src/studio/live/live-control.ts';
import type { LiveChange } from '../../../src/studio/live/live-session.ts';
import { AppError } from '../../../src/base/errors.ts';
import { plainL10n } from '../../../scripts/review-page/plain-l10n.ts';
import { reasonOf } from '../../../src/protocol/reason.ts';

const projectInvalid = new AppError('PROJECT_INVALID', {
  file: 'default.project.json',
  line: 3,
  column: 7,
  expected: 'a string',
});

const diagnostic = { file: 'src/a.meta.json', line: 2, column: 5, severity: 'error', message: 'expected a value' };

const missingPath = (path: string) => ({
  file: 'default.project.json',
  line: 3,
  column: 9,
  severity: 'warning',
  message: `expected a file or folder at "${path}"; run "wally install"`,
  missing: { path, command: 'wally install' },
});
const diagnosticsOf = (more: { readonly broken?: boolean; readonly missing?: readonly string[] }) => [
  ...(more.broken === true ? [diagnostic] : []),
  ...(more.missing ?? []).map(missingPath),
];

function bridge(more: {
  readonly phase?: string;
  readonly problem?: AppError;
  readonly place?: string;
  readonly open?: boolean;
  readonly broken?: boolean;
  readonly missing?: readonly string[];
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
      more.problem === undefined ? { info: { name: 'obby' }, diagnostics: () => diagnosticsOf(more) } : undefined,
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

test('names a missing path before the connection, with its command, and opens the Problems view', () => {
  const one = line(bridge({ place: 'Obby', missing: ['Packages'] }));
  assert.equal(one.text, 'Atlas Bridge: missing Packages · Obby');
  assert.deepEqual([one.icon, one.severity, one.command], ['warning', 'warning', 'workbench.actions.view.problems']);
  assert.equal(
    one.tooltip[0],
    'default.project.json:3:9: expected a file or folder at "Packages"; run "wally install"',
  );
  assert.ok(one.tooltip.includes('Connected to place: Obby'));
  assert.equal(line(bridge({ place: 'Obby', missing: ['a', 'b'] })).text, 'Atlas Bridge: 2 missing paths · Obby');
  const missing = { path: 'Packages', command: 'wally install' };
  const problem = new AppError('PROJECT_INVALID', { file: 'a', line: 1, column: 1, expected: 'a folder', missing });
  assert.equal(line(bridge({ problem })).text, 'Atlas Bridge: missing Packages');
});

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
  ];
  for (const [state, text, command] of states) assert.deepEqual([words(state), line(state).command], [text, command]);
});

/** Has the parts of a review that the status bar shows. */
const reviewOf = (sides: 'studio' | 'pluto', placeName: string) =>
  ({ sides, placeName, phase: 'deciding' }) as unknown as ReviewStatus;

test('says that a review of a sync or of a Pluto file needs a decision, and opens that review', () => {
  const during = (review: ReviewStatus) => statusLine(bridge({ place: 'Obby' }), plainL10n, 3, undefined, [], review);
  const studio = during(reviewOf('studio', 'Obby'));
  assert.deepEqual([studio.text, studio.severity], ['Atlas Bridge: needs your decision', 'warning']);
  assert.deepEqual([studio.command, studio.arguments], ['atlas.reviewChanges', undefined]);
  const pluto = during(reviewOf('pluto', 'src/geo.pt'));
  assert.deepEqual([pluto.text, pluto.severity], [studio.text, studio.severity]);
  assert.equal(pluto.tooltip[0], 'The sync of src/geo.pt needs your decision. Click to open the review.');
  assert.deepEqual([pluto.command, pluto.arguments], ['atlas.syncPt', ['src/geo.pt']]);
});

test('ignores a closed link', () => {
  assert.equal(words(bridge({ place: 'Obby', open: false })), 'Atlas Bridge: waiting for Studio at 34873');
});

test('highlights states that need the user, and lists the addresses in the tooltip', () => {
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
    [{ mode: 'twoWay', state: on, last: { ...last, name: 'Kit/Main' } }, 'Atlas Bridge: Obby · Live ↔ Kit/Main', ''],
    [{ mode: 'twoWay', state: { kind: 'starting' } }, 'Atlas Bridge: Obby · Live: starting', 'update each other'],
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

test('warns when Live Sync failed, and starts it again', () => {
  const state = { kind: 'failed', reason: reasonOf('no_reply') } as const;
  const failed = line(bridge({ place: 'Obby', live: { mode: 'twoWay', state } }));
  assert.equal(failed.text, 'Atlas Bridge: Live Sync failed · Obby');
  assert.deepEqual([failed.icon, failed.severity], ['warning', 'warning']);
  assert.deepEqual([failed.command, failed.arguments], ['atlas.startLiveSync', ['twoWay']]);
  assert.match(failed.tooltip[0] ?? '', /^Live Sync failed: .*did not answer/);
  assert.ok(failed.tooltip.includes('Click to start Live Sync again.'), failed.tooltip.join());
});

test('names an error of another project before the state, and opens the Problems view', () => {
  const problem = { project: 'arena/default.project.json', text: 'arena/default.project.json:1:3: expected a value.' };
  const lobby = { label: 'lobby', others: ['match'] };
  const one = statusLine(bridge({ place: 'Obby' }), plainL10n, undefined, lobby, [problem]);
  assert.equal(one.text, 'Atlas Bridge: error in arena/default.project.json · Obby · lobby');
  assert.deepEqual([one.icon, one.severity, one.command], ['warning', 'warning', 'workbench.actions.view.problems']);
  assert.equal(one.tooltip[0], problem.text);
  const two = statusLine(bridge({ place: 'Obby' }), plainL10n, undefined, undefined, [problem, problem]);
  assert.equal(two.text, 'Atlas Bridge: errors in 2 other projects · Obby');
});

test('keeps the command of a review while another project has an error', () => {
  const problem = { project: 'arena', text: 'arena:1:3: expected a value.' };
  const reviewing = bridge({ place: 'Obby', phase: 'reviewing' });
  const { icon, command, severity, tooltip } = statusLine(reviewing, plainL10n, undefined, undefined, [problem]);
  const alone = line(reviewing);
  assert.deepEqual([icon, command, severity], [alone.icon, alone.command, alone.severity]);
  assert.deepEqual(tooltip, [...alone.tooltip, problem.text]);
});
