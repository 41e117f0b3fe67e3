import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportList } from '../../../../../src/sync/vscode/runs/report-list.ts';

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
