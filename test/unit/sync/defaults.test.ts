import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { ProjectPath } from '../../../src/base/brand.ts';
import { defaultSelection, type DefaultFacts } from '../../../src/sync/defaults.ts';
import type { GitStatus } from '../../../src/ports/git.ts';

const path = (text: string): ProjectPath => text as ProjectPath;
const main = path('src/main.server.luau');
const [committed, staged, other] = ['a', 'b', 'c'].map(digit => digit.repeat(40)) as [string, string, string];

const git = (
  fields: { changed?: string[]; untracked?: string[]; ignored?: string[]; blobs?: string[] } = {},
): GitStatus => ({
  changed: new Set((fields.changed ?? []).map(path)),
  untracked: new Set((fields.untracked ?? []).map(path)),
  ignored: new Set((fields.ignored ?? []).map(path)),
  blobs: new Map([[main, fields.blobs ?? []]]),
});
const facts = (fields: Partial<DefaultFacts>): DefaultFacts => ({
  patchType: 'Edit',
  movement: 'unknown',
  relevantPaths: [main, path('src/main.meta.json')],
  fsPath: main,
  filesBelow: undefined,
  sourceDiffers: true,
  otherPropertiesDiffer: false,
  isOlderInStudio: false,
  studioHashes: [committed],
  ...fields,
});
const changed = git({ changed: [main], blobs: [committed, staged] });

const rows: readonly [
  name: string,
  git: GitStatus | undefined,
  facts: Partial<DefaultFacts>,
  selection: string | null,
  reason: string,
][] = [
  ['without git nothing is chosen', undefined, {}, null, 'no_git'],
  ['the file is as committed, so Studio was edited', git(), {}, 'pull', 'git_unchanged_on_disk'],
  ['Studio still holds the committed text, so disk was edited', changed, {}, 'push', 'git_studio_has_known_version'],
  ['Studio holds the staged text', changed, { studioHashes: [staged] }, 'push', 'git_studio_has_known_version'],
  [
    'an open draft is a text that git knows',
    changed,
    { studioHashes: [other, staged] },
    'push',
    'git_studio_has_known_version',
  ],
  ['Studio holds a text that git never saw', changed, { studioHashes: [other] }, null, 'git_both_moved'],
  ['properties differ beside the source', changed, { otherPropertiesDiffer: true }, null, 'git_both_moved'],
  [
    'only properties differ and the file is changed',
    changed,
    { sourceDiffers: false, otherPropertiesDiffer: true },
    null,
    'git_both_moved',
  ],
  [
    'only properties differ and the file is as committed',
    git(),
    { sourceDiffers: false },
    'pull',
    'git_unchanged_on_disk',
  ],
  ['only the meta file changed', git({ changed: ['src/main.meta.json'], blobs: [] }), {}, null, 'git_both_moved'],
  ['no file is behind it', git(), { relevantPaths: [], fsPath: null }, null, 'git_both_moved'],
  ['git ignores the file', git({ ignored: [main] }), {}, null, 'git_ignored_file'],
  ['a new untracked file', git({ changed: [main], untracked: [main] }), { patchType: 'Add' }, 'push', 'git_new_file'],
  ['a tracked file that Studio does not hold', changed, { patchType: 'Add' }, null, 'git_tracked_file_not_in_studio'],
  [
    'a folder of new files',
    git({ untracked: [main] }),
    { patchType: 'Add', filesBelow: [main] },
    'push',
    'git_new_file',
  ],
  [
    'a folder with one tracked file',
    git({ untracked: [main] }),
    { patchType: 'Add', filesBelow: [main, path('src/old.luau')] },
    null,
    'git_tracked_file_not_in_studio',
  ],
  ['an empty folder', git(), { patchType: 'Add', filesBelow: [] }, null, 'git_tracked_file_not_in_studio'],
  ['an instance that only Studio holds', changed, { patchType: 'Remove' }, null, 'removal'],
];
for (const [name, status, given, selection, reason] of rows)
  test(`default selection: ${name}`, () => {
    assert.deepEqual(defaultSelection(status, facts(given)), { selection, reason });
  });
