import assert from 'node:assert/strict';
import { test } from 'node:test';
import { observeGitRoots } from '../../../../../src/docs/adapters/git-roots/observable-git-roots.ts';
import { readConfiguration } from '../../../../../src/docs/roots/configuration.ts';
import type { GitRoot } from '../../../../../src/docs/ports/git-roots.ts';
import { rootHost } from '../../../../harness/root-host.ts';

test('a sync says to whoever listens that it goes on, and that it has ended, well or not', async () => {
  const told: string[] = [];
  const { gitRoots, onDidStep, onDidSync } = observeGitRoots({
    ...rootHost().gitRoots,
    async sync(_root, _policy, _request, progress) {
      progress('taking the lock');
      throw new Error('cut off');
    },
  });
  onDidStep(() => told.push('stepped'));
  onDidSync(() => told.push('ended'));
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
  assert.deepEqual([told, steps], [['stepped', 'ended'], ['taking the lock']]);
});
