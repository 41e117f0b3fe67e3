import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRootRows, type RootRow } from '../../../../src/docs/vscode/root-rows.ts';
import { freeId } from '../../../../src/docs/vscode/root-id.ts';
import { readConfiguration } from '../../../../src/docs/roots/configuration.ts';
import { rootVariable } from '../../../../src/protocol/roots.ts';
import { problemText, rootText } from '../../../../src/docs/vscode/root-texts.ts';
import { syncMessage } from '../../../../src/docs/vscode/sync-message.ts';
import { plainL10n } from '../../../../scripts/review-page/plain-l10n.ts';
import { AppError } from '../../../../src/base/errors.ts';
import type { GitRoots, GitRootStatus, GitSyncReport } from '../../../../src/docs/ports/git-roots.ts';

import { retrievalOver, rootHost } from '../../../harness/root-host.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const clean: GitRootStatus = {
  checkout: 'present',
  worktree: 'clean',
  head: 'branch',
  relation: 'up_to_date',
  lastAttempt: { outcome: 'ok', at: '2026-01-01T00:00:00.000Z' },
  activity: 'idle',
  commit: 'a'.repeat(40),
  ref: 'refs/heads/main',
  lastSyncAt: '2026-01-01T00:00:00.000Z',
  dirty: false,
  state: 'clean',
};

/** The row of the only git root, whose git returns `status`. */
async function gitRow(status: () => GitRootStatus): Promise<RootRow> {
  const gitRoots: GitRoots = { ...rootHost().gitRoots, status: async () => status() };
  const retrieval = retrievalOver({
    DOCS_ROOTS: 'kept',
    ROOT_KEPT_GIT_URL: 'https://git.example.test/x.git',
    WORKSPACE_DOCS_CACHE: '/nowhere',
  });
  const { rows } = await readRootRows({ retrieval, gitRoots }, new AbortController().signal);
  const [row] = rows;
  assert.ok(row !== undefined && rows.length === 1);
  return row;
}

test('describes every state of a git root', async () => {
  const descriptions: Readonly<Record<GitRootStatus['state'], string>> = {
    clean: 'synced · aaaaaaaa',
    detached: 'synced at a pinned commit · aaaaaaaa',
    dirty: 'modified · aaaaaaaa',
    behind: 'behind · aaaaaaaa',
    never_synced: 'never synced · aaaaaaaa',
    syncing: 'syncing · aaaaaaaa',
    source_changed: 'error: its URL differs from the one that was synced · aaaaaaaa',
    missing: 'error: its files are missing from the cache; sync it again · aaaaaaaa',
    auth_failed: 'error: the last sync failed with AUTH_FAILED; the previously synced version is still used · aaaaaaaa',
    offline: 'error: the last sync failed with OFFLINE; the previously synced version is still used · aaaaaaaa',
    diverged: 'error: the remote history was rewritten; the previously synced version is still used · aaaaaaaa',
  };
  for (const [state, description] of Object.entries(descriptions)) {
    const lastAttempt = { outcome: state.endsWith('ed') || state === 'offline' ? state.toUpperCase() : 'ok', at: '' };
    const row = await gitRow(() => ({ ...clean, lastAttempt, state: state as GitRootStatus['state'] }));
    const text = rootText(row, plainL10n);
    assert.deepEqual([text.description, text.context], [description, 'root.git'], state);
    assert.equal(row.reason === undefined, !description.startsWith('error'), state);
  }
});

test('shows the reason and the next step when git fails', async () => {
  const row = await gitRow(() => {
    throw new AppError('GIT_NOT_FOUND', { reason: 'spawn git ENOENT' });
  });
  const { description, tooltip } = rootText(row, plainL10n);
  assert.match(description, /^error: .*spawn git ENOENT/);
  assert.match(tooltip[0] ?? '', /Root kept: error/);
});

test('shows a local folder or its error, and problems with their variable', async () => {
  await using folder = await tempFolder({ 'here/a.md': '' });
  const { gitRoots } = rootHost();
  const retrieval = retrievalOver({
    DOCS_ROOTS: 'here,gone',
    ROOT_HERE_PATH: `${folder.path}/here`,
    ROOT_HERE_TITLE: 'Handbook',
    ROOT_GONE_PATH: `${folder.path}/gone`,
  });
  const { rows, problems } = await readRootRows({ retrieval, gitRoots }, new AbortController().signal);
  assert.deepEqual(
    rows.map(row => [rootText(row, plainL10n).label, rootText(row, plainL10n).description]),
    [
      ['gone', 'error: the folder does not exist'],
      ['Handbook', 'local · here'],
    ],
  );
  assert.deepEqual(
    problems.map(problem => problemText(problem, plainL10n)).map(text => [text.label, text.description]),
    [['gone', 'points to a folder that cannot be read: the folder does not exist']],
  );
  // The names of variables are for people who set them.
  assert.deepEqual(
    problems.map(problem => problemText(problem, plainL10n).tooltip.at(-1)),
    ['Fix it in the setting atlas.docs.roots, or in the environment variable ROOT_GONE_PATH.'],
  );
});

test('describes the result of a sync, or why it failed', () => {
  const report: GitSyncReport = {
    status: 'updated',
    before: 'a'.repeat(40),
    after: 'b'.repeat(40),
    remote: 'b'.repeat(40),
    ref: 'refs/heads/main',
    dirty: false,
    startedAt: '',
    finishedAt: '',
    network: true,
    warnings: [],
    error: undefined,
  };
  const said = (changed: Partial<GitSyncReport>) => syncMessage('kept', { ...report, ...changed }, plainL10n);
  assert.deepEqual(said({}), { text: 'Root kept moved from aaaaaaaa to bbbbbbbb.', isFailure: false });
  assert.equal(said({ before: null, status: 'initialised' }).text, 'Root kept is now at bbbbbbbb.');
  assert.equal(said({ status: 'up_to_date' }).text, 'Root kept is up to date at bbbbbbbb.');
  const folder = { inCache: 'r-kept/trees/a', path: '/cache/r-kept/trees/a' };
  const warnings = [
    { code: 'DIRTY_TREE_KEPT', message: 'files in r-kept/trees/a were changed', folder },
    { code: 'FILTERS_NOT_RUN', message: 'filters are not applied' },
  ];
  assert.match(
    said({ warnings }).text,
    /bbbbbbbb\. Files in \/cache\/r-kept\/trees\/a were changed\. Filters are not applied\.$/,
  );
  const error = new AppError('OFFLINE', { root: 'kept', cause: 'no route' });
  const failed = said({ status: 'failed', error });
  const rewritten = new AppError('DIVERGED', { root: 'kept', before: 'a'.repeat(40), remote: 'c'.repeat(64) });
  assert.match(said({ error: rewritten }).text, /rewritten: cccccccc is not a descendant of aaaaaaaa\./);
  assert.deepEqual(rewritten.details, { root: 'kept', before: 'a'.repeat(40), remote: 'c'.repeat(64) });
  assert.match(syncMessage('Handbook', { ...report, error }, plainL10n).text, /sync root Handbook:/);
  assert.ok(failed.isFailure);
  assert.match(failed.text, / Nothing was changed\. Sync again when the network is available\.$/);
});

test('shows no part of a token in the address of a root', async () => {
  const url = 'https://git.example.test/x.git?token=sesame#sesame';
  const retrieval = retrievalOver({ DOCS_ROOTS: 'kept', ROOT_KEPT_GIT_URL: url, WORKSPACE_DOCS_CACHE: '/nowhere' });
  const gitRoots: GitRoots = { ...rootHost().gitRoots, status: async () => clean };
  const { rows, problems } = await readRootRows({ retrieval, gitRoots }, new AbortController().signal);
  assert.deepEqual(problems, []);
  const shown = rows.map(row => rootText(row, plainL10n));
  assert.match(JSON.stringify(shown), /Repository: https:\/\/git\.example\.test\/x\.git"/);
  assert.equal(freeId(url, []), 'x');
  assert.equal(freeId(url, [{ id: 'x' }]), 'x-2');
  assert.equal(freeId('https://user:sesame@git.example.test/', []), 'git-example-test');
});

test('gives no root an id that is reserved or too long', () => {
  const folders = ['/game/docs', '/game/Code', 'C:\\all', `/${'long-name-'.repeat(20)}`, '/game/docs-default'];
  const ids = folders.map(folder => freeId(folder, []));
  const { problems, roots } = readConfiguration({
    DOCS_ROOTS: ids.join(','),
    ...Object.fromEntries(ids.map((id, index) => [rootVariable(id, 'PATH'), folders[index]])),
  });
  assert.deepEqual(problems, []);
  assert.equal(roots.length, folders.length);
});
