import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainL10n } from '../../../../../scripts/review-page/plain-l10n.ts';
import { recordedReport, unlistedRow } from '../../../../../src/sync/vscode/views/history-text.ts';
import { MAX_LISTED_CHANGES, reportList } from '../../../../../src/sync/vscode/runs/report-list.ts';

const listed = (name: string, file = '') =>
  reportList([{ names: ['Workspace', name], decision: ['Push', 'the file is new'], details: ['Part', '', file] }]);

test('lists a change on three lines, without empty parts', () => {
  assert.deepEqual(listed('Lamp'), ['- Workspace / Lamp\\\n  Push · the file is new\\\n  Part']);
});

for (const name of ['# a', '- a', '+ a', '1. a', '2) a', '~~~', '===', '    a'])
  test(`shows ${JSON.stringify(name)} as text where Markdown would start another block`, () => {
    const [item = ''] = reportList([{ names: [name], decision: [name], details: [name] }]);
    for (const line of item.split('\n')) assert.match(line, /^(?:- | {2})(?:\\[-+#=~]|\d+\\[.)]|a)/);
  });

test('[P6] lists the first changes of a run with thousands, and says how many it does not list', () => {
  const change = { className: 'Part', patchType: 'Edit', choice: 'pull', fsPath: null, sides: ['disk'] };
  const changes = Array.from({ length: 5_000 }, (_, index) => ({
    ...change,
    id: `${index}`,
    path: `Workspace/P${index}`,
  }));
  const place = { name: 'Place', placeId: 0 };
  const run = {
    runId: 'run',
    at: '',
    mode: 'manual',
    requestedBy: 'you',
    place,
    status: 'success',
    summary: '',
    changes,
  };
  const lines = recordedReport(run as never, 'now', plainL10n).split('\n');
  assert.equal(lines.filter(line => line.startsWith('- Workspace')).length, MAX_LISTED_CHANGES);
  assert.match(lines.join('\n'), /^4000 more changes are not listed\. Restore shows every change\.$/m);
  assert.deepEqual(unlistedRow(changes.length, plainL10n), {
    label: '4000 more changes',
    description: 'not listed',
    tooltip: ['4000 more changes are not listed. Restore shows every change.'],
    spoken: 'not listed. Restore shows every change.',
  });
  assert.equal(unlistedRow(MAX_LISTED_CHANGES, plainL10n), undefined);
});
