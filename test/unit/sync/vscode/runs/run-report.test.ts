import assert from 'node:assert/strict';
import { test } from 'node:test';
import { say } from '../../../../../src/base/sentence.ts';
import { formatResult } from '../../../../../src/protocol/run-result.ts';
import { runMessage } from '../../../../../src/sync/vscode/runs/run-messages.ts';
import { runReport } from '../../../../../src/sync/vscode/runs/run-report.ts';
import { AppError } from '../../../../../src/base/errors.ts';
import { toErrorBody } from '../../../../../src/protocol/error-body.ts';
import type { RunResult } from '../../../../../src/protocol/run-result.ts';
import { isErrorStatus, SyncStatus } from '../../../../../src/protocol/sync-result.ts';
import { plainL10n } from '../../../../../scripts/review-page/plain-l10n.ts';

const result: RunResult = {
  status: 'dryrun',
  summary: 'Dry run complete: 1 change.',
  runId: 'r',
  outcome: 'done',
  elapsedMs: 5,
  place: { name: 'My *Place*', placeId: 1 },
  changes: [
    {
      path: 'Workspace/A|B',
      id: '1'.repeat(32),
      direction: 'unresolved',
      patchType: 'Edit',
      className: 'Part',
      defaultSelection: null,
      fsPath: null,
      properties: { Size: {}, Color: {} },
      defaultReason: 'git_both_moved',
    },
  ],
  overrides: [],
};

test('formats a dry run as a document with one item per change', () => {
  assert.equal(
    runReport(result, plainL10n),
    [
      '# Dry run: My \\*Place\\*',
      '',
      'Dry run complete: 1 change, 1 undecided. Nothing was changed.',
      '',
      '- Workspace / A\\|B\\',
      '  undecided · both sides changed\\',
      '  Changed · Part · Size, Color',
      '',
    ].join('\n'),
  );
});

test('offers a button that fixes a missing prerequisite', () => {
  const stepsFor = (code: string): readonly string[] => {
    const error = { code, message: 'No.', hint: 'Do.', retry: 'no' };
    return runMessage({ ...result, status: 'error', error }, plainL10n).steps;
  };
  assert.deepEqual(stepsFor('NO_PROJECT'), ['createProject']);
  assert.deepEqual(stepsFor('PROJECT_INVALID'), ['problems']);
  assert.deepEqual(stepsFor('STUDIO_NOT_CONNECTED'), ['doctor']);
  assert.deepEqual(stepsFor('REVIEW_NOT_SHOWN'), ['review', 'log']);
  assert.deepEqual(stepsFor('INTERNAL'), ['log']);
});

test('shows the end of a run without agent terms, and never an error as a success', () => {
  for (const status of SyncStatus.options) {
    const message = runMessage({ ...result, status }, plainL10n);
    assert.doesNotMatch(message.text, /operation_wait|override|the person/, status);
    if (message.kind !== 'status') assert.notDeepEqual(message.steps, [], `${status} leads somewhere`);
    if (isErrorStatus(status) && status !== 'cancelled' && status !== 'rejected')
      assert.notEqual(message.kind, 'information', status);
  }
});

test('offers to show untracked properties when nothing differs', () => {
  const empty = runMessage({ ...result, changes: [], status: 'empty', untracked: 12 }, plainL10n);
  assert.match(empty.text, /are identical\. 12 properties are only in Studio and not tracked\.$/);
  assert.deepEqual([empty.kind, empty.steps], ['information', ['untracked']]);
  assert.equal(runMessage({ ...result, changes: [], status: 'empty' }, plainL10n).kind, 'status');
  const { text } = runMessage({ ...result, untracked: 1 }, plainL10n);
  assert.match(text, /Nothing was changed\. 1 property is only in Studio and not tracked\.$/);
});

test('shows items that were not compared as a warning', () => {
  const warnings = [say`${'a.json:1:2'} was not fully compared: expected a number.`];
  const one = runMessage({ ...result, status: 'empty', warnings }, plainL10n);
  assert.deepEqual([one.kind, one.steps], ['warning', ['log']]);
  assert.match(one.text, /are identical\. a\.json:1:2 was not fully compared: expected a number\.$/);
  const two = runMessage({ ...result, status: 'success', warnings: [...warnings, say`more`] }, plainL10n);
  assert.match(two.text, / There are 2 warnings\. See the log for details\.$/);
  assert.deepEqual([two.kind, two.steps], ['warning', ['history', 'log']]);
  assert.match(
    runReport({ ...result, warnings }, plainL10n),
    /\n\n## Warnings\n\n- a\.json:1:2 was not fully compared/,
  );
});

test('does not offer to review a run of another window', () => {
  const error = toErrorBody(new AppError('LOCKED_BY_OTHER_WINDOW', { runId: 'theirs' }));
  const message = runMessage({ ...result, status: 'sync_in_progress', error }, plainL10n);
  assert.deepEqual([message.kind, message.steps], ['warning', []]);
  assert.match(message.text, /Another window.*decide it there/);
});

test('translates the warnings of a result', () => {
  const warnings = [say`${'Size'} was not compared`];
  const words = formatResult({ ...result, warnings }, (template, ...values) => `[${template}|${values.join('|')}]`);
  assert.deepEqual(words.warnings, ['[{0} was not compared|Size]']);
});
