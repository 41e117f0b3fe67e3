import { reasonOf } from '../../../../../src/protocol/reason.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changeIcon,
  changesMessage,
  changeText,
  choiceMarks,
  groupText,
  recordedIcon,
} from '../../../../../src/sync/vscode/views/change-text.ts';
import { recordedReport, statusIcon } from '../../../../../src/sync/vscode/views/history-text.ts';
import { changeOutcomeText, recordedOutcome } from '../../../../../src/sync/vscode/runs/change-outcome.ts';
import { runTitle } from '../../../../../src/sync/vscode/runs/run-title.ts';
import { localTime } from '../../../../../src/vscode/localization/local-time.ts';
import { timeAgo } from '../../../../../src/vscode/localization/time-ago.ts';
import { studioText } from '../../../../../src/sync/vscode/views/studio-text.ts';
import type { Localize } from '../../../../../src/vscode/localization/localize.ts';
import type { PendingChange, PendingState } from '../../../../../src/sync/pending-changes.ts';
import { Hello } from '../../../../../src/protocol/studio/stream.ts';

const l10n: Localize = {
  t: (message, ...values) => message.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])),
};
const change: PendingChange = {
  id: 'a',
  path: 'ServerScriptService/Boot',
  className: 'Script',
  patchType: 'Edit',
  fsPath: 'src/Boot.server.luau',
  choice: null,
  defaultReason: 'base_both_moved',
  reason: null,
  agent: 'push',
  hasSource: false,
};

test("describes a change by class, decision, reason and the agent's request", () => {
  const open = changeText(change, l10n);
  assert.equal(open.description, 'Script · undecided · Agent asks to push');
  assert.ok(open.tooltip.includes('undecided: both sides changed since the last sync'));
  const pulled = changeText({ ...change, choice: 'pull', agent: null }, l10n);
  assert.equal(pulled.description, 'Script · Pull');
  assert.ok(pulled.tooltip.includes('File: src/Boot.server.luau'));
  assert.ok(pulled.tooltip.includes('Pull: overwrite the file with Studio.'), pulled.tooltip.join());
  assert.ok(pulled.tooltip.includes('Why: both sides changed since the last sync'), pulled.tooltip.join());
});

test('describes the changes of a restore like its review', () => {
  const restored = { ...change, choice: 'push', agent: null } as const;
  const edit = changeText(restored, l10n, 'studio');
  assert.equal(edit.description, 'Script · Restore');
  assert.ok(edit.tooltip.includes('Restore: write the version from before the sync.'), edit.tooltip.join());
  const created = { ...restored, patchType: 'Remove' } as const;
  assert.ok(changeText(created, l10n, 'studio').tooltip.includes('Restore: delete it.'));
  assert.equal(groupText([restored, created], l10n, 'studio').description, '1 changed · 1 to delete');
  assert.equal(groupText([restored, created], l10n, 'disk').description, '1 changed · 1 to bring back');
});

test('marks changes of a restore by what it does, and recorded changes by what happened', () => {
  const idOf = (kind: 'Add' | 'Remove', restored?: 'disk' | 'studio') => changeIcon(kind, restored).id;
  assert.deepEqual([idOf('Add'), idOf('Remove')], ['diff-added', 'vm']);
  assert.deepEqual([idOf('Add', 'disk'), idOf('Remove', 'disk')], ['diff-removed', 'diff-added']);
  assert.deepEqual([idOf('Add', 'studio'), idOf('Remove', 'studio')], ['diff-added', 'diff-removed']);
  const recorded = (patchType: string, outcome: 'applied' | 'written') => recordedIcon({ patchType, outcome }).id;
  assert.deepEqual([recorded('Add', 'applied'), recorded('Remove', 'applied')], ['diff-added', 'diff-removed']);
  assert.deepEqual([recorded('Add', 'written'), recorded('Remove', 'written')], ['diff-removed', 'diff-added']);
  assert.equal(recordedIcon({ patchType: 'Add', outcome: 'failed' }).id, 'error');
});

test('describes a rename by the name on the other side', () => {
  const renamed = { ...change, choice: 'pull', agent: null } as const;
  const ofDisk = changeText({ ...renamed, names: { studio: 'Start', disk: 'Boot' } }, l10n);
  assert.equal(ofDisk.description, '"Start" in Studio · Script · Pull');
  assert.match(ofDisk.spoken, /"Start" in Studio/);
  assert.ok(ofDisk.tooltip.includes('Named "Start" in Studio and "Boot" on disk.'));
  const ofStudio = changeText({ ...renamed, names: { studio: 'Boot', disk: 'Start' } }, l10n);
  assert.equal(ofStudio.description, '"Start" on disk · Script · Pull');
  const restored = (side: 'disk' | 'studio', names: { readonly studio: string; readonly disk: string }) => {
    const { description, tooltip } = changeText({ ...renamed, names }, l10n, side);
    return [description.split(' · ')[0], tooltip.find(line => line.startsWith('Named'))];
  };
  // A recorded version has the place of the other side.
  assert.deepEqual(restored('disk', { studio: 'Start', disk: 'Boot' }), [
    '"Start" before the sync',
    'Named "Start" before the sync and "Boot" now.',
  ]);
  assert.deepEqual(restored('studio', { studio: 'Start', disk: 'Boot' }), [
    '"Start" now',
    'Named "Boot" before the sync and "Start" now.',
  ]);
  const withSlash = { ...renamed, path: 'Workspace/A/B', names: { studio: 'C', disk: 'A/B' } };
  assert.equal(changeText(withSlash, l10n).description, '"C" in Studio · Script · Pull');
});

test('counts the changes of a group by kind, and the undecided ones', () => {
  const of = (patchType: PendingChange['patchType'], choice: PendingChange['choice']) => ({ patchType, choice });
  const mixed = [of('Edit', 'push'), of('Remove', null), of('Edit', 'pull'), of('Add', 'push')];
  assert.deepEqual(groupText(mixed, l10n), {
    description: '1 only on disk · 2 changed · 1 only in Studio · 1 undecided',
    spoken: '1 only on disk, 2 changed, 1 only in Studio, 1 undecided',
  });
  assert.equal(groupText([of('Edit', null), of('Edit', null)], l10n).description, '2 changed · 2 undecided');
  assert.equal(groupText([of('Add', 'push')], l10n).description, '1 only on disk');
});

test('keeps decorations within the length that VS Code draws', () => {
  for (const { mark } of Object.values(choiceMarks)) assert.ok(mark.length <= 2);
});

test('explains an empty list by equal sides or a failed comparison', () => {
  const equal: PendingState = {
    kind: 'compared',
    changes: [],
    placeName: 'Harbor',
    at: '2026-01-01T00:00:00Z',
    review: undefined,
    problem: undefined,
  };
  const failed = { status: 'error', runId: '1', changes: [], overrides: [] } as const;
  const messageOf = (state: PendingState, isConnected = true) =>
    changesMessage(state, '3 minutes ago', isConnected, l10n);
  assert.equal(messageOf(equal), 'Compared with Harbor 3 minutes ago: no differences.');
  assert.equal(messageOf({ ...equal, problem: failed }), 'The sync failed.');
  const alone = { ...equal, problem: { ...failed, status: 'not_connected' } } as const;
  assert.equal(messageOf(alone), undefined, 'the welcome of the view has the buttons');
  assert.equal(
    messageOf({ ...alone, changes: [change] }, false),
    'Studio is not connected. Compared with Harbor 3 minutes ago.',
    'rows have no welcome beside them',
  );
  assert.equal(messageOf({ ...equal, changes: [change] }), 'Compared with Harbor 3 minutes ago.');
  assert.equal(messageOf(equal, false), 'Studio is not connected. Compared with Harbor 3 minutes ago.');
});

test('describes a Studio by round trip, plugin and live state, and highlights a slow one', () => {
  const hello = Hello.parse({ type: 'hello', placeName: 'Harbor', placeId: 42, pluginVersion: '0.1.0' });
  const fast = studioText({ handle: 'studio-1', hello, latencyMs: 3.4 }, { kind: 'off' }, l10n);
  assert.deepEqual([fast.label, fast.description], ['Harbor', '3 ms · plugin 0.1.0']);
  assert.ok(fast.tooltip.includes('Place: Harbor (42)'));
  const slow = studioText({ handle: 'studio-1', hello, latencyMs: 900 }, { kind: 'on' }, l10n);
  assert.ok(slow.tooltip.includes('Live Sync: on'), slow.tooltip.join());
  const state = { kind: 'failed', reason: reasonOf('no_reply') } as const;
  const failed = studioText({ handle: 'studio-1', hello, latencyMs: 3.4 }, state, l10n);
  assert.equal(failed.description, 'live: failed · 3 ms · plugin 0.1.0');
  assert.match(failed.tooltip.join('\n'), /^Live Sync: failed \(.*did not answer.*\)$/m);
  assert.deepEqual([slow.description, slow.color], ['live · 900 ms · plugin 0.1.0', 'list.warningForeground']);
  assert.match(
    studioText({ handle: 'studio-1', hello, latencyMs: undefined }, { kind: 'off' }, l10n).description,
    /^not measured/,
  );
});

test('lists requester, changes and outcomes of a sync, and escapes names', () => {
  const report = recordedReport(
    {
      runId: 'r1',
      at: '2026-01-01T00:00:00Z',
      requestedBy: 'Copilot',
      mode: 'standard',
      place: { name: 'My *Place*', placeId: 1 },
      status: 'partial',
      summary: 'One failed.',
      changeCount: 1,
      changes: [
        {
          ...change,
          sides: ['studio'],
          choice: 'push',
          outcome: 'failed',
          reason: reasonOf('failure', 'the file moved'),
        },
      ],
    },
    'today',
    l10n,
  );
  assert.match(report, /^# Sync of today$/m);
  assert.match(report, /Requested by Copilot/);
  assert.ok(report.includes(String.raw`My \*Place\*`));
  assert.match(
    report,
    /^- ServerScriptService \/ Boot\\\n {2}Push · Failed: the file moved\\\n {2}Script · src\/Boot\.server\.luau$/m,
  );
});

test('says whether a recorded change created, changed or deleted something, and where', () => {
  const textOf = (patchType: string, choice: 'push' | 'pull', outcome: 'applied' | 'written' | 'failed') =>
    changeOutcomeText(
      { id: 'a', path: 'A', className: 'Script', fsPath: null, sides: [], patchType, choice, outcome },
      l10n,
    );
  assert.deepEqual(
    (['Add', 'Edit', 'Remove'] as const).map(kind => [
      textOf(kind, 'push', 'applied'),
      textOf(kind, 'pull', 'written'),
    ]),
    [
      ['Created in Studio', 'Deleted on disk'],
      ['Changed in Studio', 'Written to disk'],
      ['Deleted in Studio', 'Created on disk'],
    ],
  );
  assert.equal(textOf('Add', 'push', 'failed'), 'Failed');
});

test('says why Live Sync changed nothing, and marks it as no change', () => {
  const pushed = { id: 'a', path: 'A', className: 'Script', patchType: 'Edit', fsPath: null, sides: [] } as const;
  const skipped = { ...pushed, choice: 'push', outcome: 'skipped' } as const;
  assert.equal(
    changeOutcomeText({ ...skipped, reason: reasonOf('studio_had_it') }, l10n),
    'Studio already had the change',
  );
  assert.equal(
    changeOutcomeText({ ...skipped, reason: reasonOf('live_ended_first') }, l10n),
    'Live Sync ended before the change was sent',
  );
  assert.equal(changeOutcomeText(skipped, l10n), 'Skipped');
  assert.equal(recordedIcon(skipped).id, 'dash');
  assert.equal(statusIcon('recorded', [skipped]).id, 'dash');
  assert.equal(statusIcon('recorded', [skipped, { ...skipped, outcome: 'applied' }]).id, 'git-commit');
});

test('says that a renamed or moved file got another path', () => {
  const file = { id: 'a', path: 'src/B.luau', className: 'File', patchType: 'Remove', fsPath: 'src/B.luau' } as const;
  const written = { ...file, sides: ['disk'], choice: 'pull', outcome: 'written' } as const;
  assert.equal(changeOutcomeText({ ...written, movedFrom: 'src/A.luau' }, l10n), 'Renamed from A.luau');
  assert.equal(changeOutcomeText({ ...written, movedFrom: 'src/Kit/B.luau' }, l10n), 'Moved from src/Kit/B.luau');
  assert.equal(recordedIcon({ ...written, movedFrom: 'src/A.luau' }).id, 'diff-renamed');
});

test('never shows a failed status with a success icon', () => {
  for (const status of ['partial', 'error', 'disconnected', 'interrupted', 'review_timeout'] as const)
    assert.equal(statusIcon(status).id, 'warning');
  assert.equal(statusIcon('success').id, 'pass');
});

test('titles a recorded sync by what it did and who requested it', () => {
  const change = { id: 'a', path: 'A', patchType: 'Edit', fsPath: 'a.luau', sides: [] };
  const pushed = { ...change, className: 'Script', choice: 'push', outcome: 'applied' } as const;
  const pulled = { ...change, className: 'Part', choice: 'pull', outcome: 'written' } as const;
  const written = {
    ...change,
    path: 'src/a.luau',
    fsPath: 'src/a.luau',
    className: 'File',
    choice: 'pull',
    outcome: 'written',
  } as const;
  const titleOf = (
    changes: Parameters<typeof runTitle>[0]['changes'],
    status: 'success' | 'recorded' = 'success',
    restoredSide?: 'disk' | 'studio',
  ) =>
    runTitle(
      {
        restoredSide,
        runId: 'r',
        at: '2026-01-01T00:00:00Z',
        requestedBy: 'Copilot',
        mode: 'standard',
        place: { name: 'Harbor', placeId: 1 },
        status,
        summary: '',
        changeCount: changes.length,
        changes,
      },
      l10n,
    );
  assert.equal(titleOf([{ ...pushed, className: 'Folder' }]), 'A pushed by Copilot');
  assert.equal(titleOf([pushed, pushed, pushed]), '3 scripts pushed by Copilot');
  assert.equal(titleOf([{ ...pulled, path: 'Workspace/Lamp' }]), 'Lamp pulled by Copilot');
  assert.equal(titleOf([pushed, pulled]), '2 changes synced by Copilot');
  assert.equal(titleOf([written, written]), '2 files written by Copilot');
  const deleted = { ...written, patchType: 'Add' };
  assert.equal(titleOf([deleted, deleted]), '2 files deleted by Copilot');
  assert.equal(titleOf([deleted, written]), '2 files changed by Copilot');
  const at = (path: string, patchType: string, className = 'File') => ({
    ...written,
    path,
    fsPath: path,
    patchType,
    className,
  });
  const move = (from: string, to: string) => [
    { ...at(to, 'Remove'), movedFrom: from },
    { ...at(from, 'Add'), movedTo: to },
  ];
  const emptied = at('src/Kit', 'Add', 'Folder');
  const moved = [...move('src/Kit/A.luau', 'src/Box/A.luau'), emptied];
  assert.equal(titleOf(moved), 'A.luau moved by Copilot');
  const second = move('src/Kit/B.luau', 'src/Box/B.luau');
  assert.equal(titleOf([...second, ...moved]), '2 files moved by Copilot');
  assert.equal(titleOf([...second, ...moved, at('src/C.luau', 'Edit')]), '3 files changed by Copilot');
  const renamed = move('src/A.luau', 'src/B.luau');
  assert.equal(titleOf(renamed), 'A.luau renamed to B.luau by Copilot');
  assert.equal(titleOf([...renamed, ...move('src/C.luau', 'src/D.luau')]), '2 files renamed by Copilot');
  assert.equal(titleOf([...renamed, ...second]), '2 files moved by Copilot');
  assert.equal(titleOf(renamed, 'success', 'disk'), 'B.luau restored by Copilot');
  assert.equal(titleOf([at('src/A.luau', 'Remove'), at('src/B.luau', 'Add')]), '2 files changed by Copilot');
  assert.equal(titleOf([emptied]), 'Kit deleted by Copilot');
  assert.equal(titleOf([{ ...pushed, outcome: 'failed' }]), 'Sync requested by Copilot');
  assert.equal(titleOf([{ ...pushed, outcome: 'skipped' }], 'recorded'), 'Nothing changed by Copilot');
  const skippedBecause = (code: string) => ({ ...pushed, outcome: 'skipped' as const, reason: { code, args: [] } });
  const known = skippedBecause('studio_had_it');
  assert.equal(titleOf([known], 'recorded'), 'A: Studio already had this change');
  assert.equal(titleOf([known, known], 'recorded'), 'Studio already had 2 changes');
  const unsent = skippedBecause('live_ended_first');
  assert.equal(titleOf([unsent], 'recorded'), 'A not synced by Copilot');
  assert.equal(titleOf([known, unsent], 'recorded'), '2 changes not synced by Copilot');
  const failed = { ...pushed, outcome: 'failed' } as const;
  assert.equal(titleOf([failed], 'recorded'), 'A not synced by Copilot');
  assert.equal(titleOf([failed, failed], 'recorded'), '2 changes not synced by Copilot');
  assert.equal(titleOf([written, written], 'success', 'disk'), '2 files restored by Copilot');
  assert.equal(titleOf([pushed], 'success', 'studio'), 'A restored by Copilot');
  assert.equal(titleOf([pushed, { ...pulled, choice: 'push' }], 'success', 'studio'), '2 changes restored by Copilot');
  assert.equal(titleOf([{ ...pushed, outcome: 'failed' }], 'success', 'disk'), 'Restore requested by Copilot');
  const { outcome: _, ...live } = { ...pushed, choice: 'pull' as const };
  assert.equal(titleOf([live], 'recorded'), 'A pulled by Copilot');
});

test('says what Live Sync has written, which records no outcome', () => {
  const pull = { choice: 'pull', sides: ['disk'] } as const;
  assert.equal(recordedOutcome(pull, 'recorded'), 'written');
  assert.equal(recordedOutcome({ choice: 'push', sides: ['studio'] }, 'recorded'), 'applied');
  assert.equal(recordedOutcome({ choice: 'merge', sides: ['disk', 'studio'] }, 'recorded'), 'merged');
  // A sync of a `.pt` pushes into another file.
  assert.equal(recordedOutcome({ choice: 'push', sides: ['disk'] }, 'recorded'), 'written');
  assert.equal(recordedOutcome({ choice: 'skip', sides: [] }, 'recorded'), undefined);
  assert.equal(recordedOutcome(pull, 'interrupted'), undefined);
  assert.equal(recordedOutcome({ ...pull, outcome: 'failed' }, 'recorded'), 'failed');
});

test('says how long ago a sync was', () => {
  const [minute, hour] = [60_000, 3_600_000];
  assert.equal(timeAgo(0, 20_000, l10n), 'just now');
  assert.equal(timeAgo(0, minute, l10n), '1 minute ago');
  assert.equal(timeAgo(0, 5 * minute, l10n), '5 minutes ago');
  assert.equal(timeAgo(0, hour - 1, l10n), '59 minutes ago');
  assert.equal(timeAgo(0, hour, l10n), '1 hour ago');
  assert.equal(timeAgo(0, 3 * hour, l10n), '3 hours ago');
  assert.equal(timeAgo(0, 26 * hour, l10n), 'yesterday');
  assert.equal(timeAgo(0, 48 * hour, l10n), '2 days ago');
  assert.equal(timeAgo(10, 0, l10n), 'just now');
});

test('shows the time of a sync in the time zone of the machine', () => {
  assert.equal(localTime(new Date(2026, 0, 5, 4, 7)), '2026-01-05 04:07');
  assert.equal(localTime(new Date(2026, 11, 25, 23, 59)), '2026-12-25 23:59');
});
