import assert from 'node:assert/strict';
import { test } from 'node:test';
import { observeGitRoots } from '../../../../../src/docs/adapters/git-roots/observable-git-roots.ts';
import { readConfiguration } from '../../../../../src/docs/roots/configuration.ts';
import type { GitRoot } from '../../../../../src/docs/ports/git-roots.ts';
import { rootHost } from '../../../../harness/root-host.ts';

test('fires events for each step and for the end of a sync, even if it fails', async () => {
  const events: string[] = [];
  const { gitRoots, onDidStep, onDidSync } = observeGitRoots({
    ...rootHost().gitRoots,
    async sync(_root, _policy, _request, progress) {
      progress('taking the lock');
      throw new Error('cut off');
    },
  });
  onDidStep(() => events.push('stepped'));
  onDidSync(() => events.push('ended'));
  const { roots, policy } = readConfiguration({ DOCS_ROOTS: 'a', ROOT_A_GIT_URL: 'https://git.example.test/a' }, '/x');
  const steps: string[] = [];
  const syncing = gitRoots.sync(
    roots[0] as GitRoot,
    policy,
    { mode: 'update' },
    step => steps.push(step),
    new AbortController().signal,
  );
  await assert.rejects(syncing, /cut off/);
  assert.deepEqual([events, steps], [['stepped', 'ended'], ['taking the lock']]);
});
