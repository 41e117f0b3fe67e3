import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retrievalErrors } from '../../../src/base/retrieval-errors.ts';
import { AppError } from '../../../src/base/errors.ts';
import { writeFailed } from '../../../src/base/write-failed.ts';
import { formatSentence } from '../../../src/base/sentence.ts';
import { commandHint, forPerson, toErrorBody } from '../../../src/protocol/error-body.ts';
import { summarySentence } from '../../../src/protocol/sync-summary.ts';
import { SyncStatus } from '../../../src/protocol/sync-result.ts';
import { toolCatalog } from '../../../src/app/tool-catalog.ts';
import { plutoTools } from '../../../src/pluto/tools/pluto-catalog.ts';
import { anyFailure, errorCodes } from '../../harness/any-failure.ts';

/** Names of tools, except single words (`check`, `run`), which are also commands of the command line. */
const toolNames = [...toolCatalog, ...plutoTools].map(tool => tool.listing.name).filter(name => name.includes('_'));
const forAgents = new RegExp(String.raw`\b(?:${toolNames.join('|')})\b|[Cc]all(?: \w+)? again|\btool\b`);

/** Errors that only tools report: about a script of a comparison, a plan, a run, the id of a declaration, or a root. */
const ofToolsAlone = new Set<string>([
  ...Object.keys(retrievalErrors),
  'STUDIO_AMBIGUOUS',
  'UNKNOWN_STUDIO',
  'REVIEW_NOT_SHOWN',
  'UNKNOWN_OPERATION',
  'SCRIPT_NOT_FOUND',
  'BRIDGE_LOST',
  'PLUTO_UNKNOWN_ID',
  'PLUTO_WRONG_KIND',
  'PLUTO_NOTHING_TO_UNDO',
  'PLAN_CHANGED',
]);

test('hints on the command line name no tools', () => {
  for (const code of errorCodes.filter(one => !ofToolsAlone.has(one)))
    assert.doesNotMatch(commandHint(anyFailure(code, 'words')), forAgents, code);
  assert.match(commandHint(anyFailure('PLUTO_VIEW_EDITED', 'words')), /atlas-bridge pluto sync/);
});

test('hints about Pluto in VS Code name no tools and no commands of the command line', () => {
  for (const code of errorCodes.filter(one => one.startsWith('PLUTO_')))
    assert.doesNotMatch(formatSentence(forPerson(anyFailure(code, 'words'))), forAgents, code);
  assert.match(formatSentence(forPerson(anyFailure('PLUTO_VIEW_EDITED', 'words'))), /Sync \.pt/);
});

test('hints about Pluto for agents name no commands of the command line', () => {
  for (const code of errorCodes.filter(one => one.startsWith('PLUTO_')))
    assert.doesNotMatch(anyFailure(code, 'words').hint, /atlas-bridge|Atlas Bridge:| -o\b/, code);
});

test('hints about files fit all tools and commands that write files', () => {
  for (const code of ['FILE_CHANGED', 'FILE_OVERWRITTEN', 'FS_WRITE_FAILED'] as const) {
    const failure = anyFailure(code, 'words');
    const hints = [failure.hint, commandHint(failure), formatSentence(forPerson(failure))];
    assert.doesNotMatch(hints.join('\n'), /atlas_sync|sync again/, code);
  }
});

test('the hint fits what is in the place of a file, and a filter that matches no test', () => {
  for (const code of ['EISDIR', 'ENOTDIR', 'EEXIST']) {
    const failure = writeFailed('src/a.luau', Object.assign(new Error(code), { code, syscall: 'open' }));
    const hints = [failure.hint, commandHint(toErrorBody(failure)), formatSentence(forPerson(failure))];
    for (const hint of hints) assert.match(hint, /Rename or move what is in its place/, code);
  }
  const full = writeFailed('src/a.luau', Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'open' }));
  assert.match(full.hint, /free disk space/);
  const none = new AppError('NO_TESTS', { project: 'default.project.json' });
  const filtered = new AppError('NO_TESTS', { project: 'default.project.json', filter: 'a' });
  assert.deepEqual(
    [none, filtered].map(failure => commandHint(failure).split(' ', 3).join(' ')),
    ['Add test files', 'Pass another --filter,'],
  );
});

test('the summary of a sync on the command line names no tools', () => {
  // Statuses that are impossible without a person and an agent.
  const waiting = ['review_pending', 'rejected', 'review_timeout'];
  for (const status of SyncStatus.options.filter(one => !waiting.includes(one))) {
    const changes = [{ direction: 'unresolved', patchType: 'Edit', outcome: 'skipped' }] as const;
    const error = toErrorBody(anyFailure('LOCKED_BY_OTHER_WINDOW', 'words'));
    const said = formatSentence(summarySentence({ status, runId: 'r', changes, overrides: [], error }, 'command line'));
    assert.doesNotMatch(said, forAgents, status);
    assert.doesNotMatch(said, /override|"standard"|operation/, status);
  }
});
