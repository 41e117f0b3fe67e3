import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfiguration } from '../../../../src/docs/roots/configuration.ts';
import { withRoots } from '../../../../src/docs/adapters/node/root-variables.ts';

test('leaves the environment as it is when the setting has no roots', () => {
  const environment = { DOCS_ROOT: '/docs' };
  assert.equal(withRoots(environment, []), environment);
});

test('turns the roots of the setting into a valid configuration', () => {
  const environment = withRoots({ WORKSPACE_DOCS_CACHE: '/cache' }, [
    { id: 'hand-book', gitUrl: 'https://example.com/book', gitRef: 'main', subdir: 'en', title: 'Handbook' },
    { id: 'notes', path: '/notes' },
    { id: 'game', kind: 'code', path: '/game' },
  ]);
  const { roots, problems, warnings } = readConfiguration(environment);
  assert.deepEqual([problems, warnings], [[], []]);
  assert.deepEqual(
    roots.map(({ id, namespace, title, subdir, source }) => [id, namespace, title, subdir, source.kind]),
    [
      ['hand-book', 'docs', 'Handbook', 'en', 'git'],
      ['notes', 'docs', undefined, '', 'local'],
      ['game', 'code', undefined, '', 'local'],
    ],
  );
});

test('replaces the roots of the environment when the setting has roots', () => {
  const environment = { DOCS_ROOT: '/old', CODE_ROOTS: 'old', ROOT_OLD_PATH: '/old', ATLAS_RIPGREP: '/rg' };
  const { roots } = readConfiguration(withRoots(environment, [{ id: 'new', path: '/new' }]));
  assert.deepEqual(
    roots.map(({ id }) => id),
    ['new'],
  );
  assert.equal(withRoots(environment, [{ id: 'new', path: '/new' }])['ATLAS_RIPGREP'], '/rg');
});

test('reports an entry of the setting that is not valid', () => {
  const problemsOf = (root: object): readonly string[] =>
    readConfiguration(withRoots({}, [root])).problems.map(({ reason }) => reason);
  assert.ok(problemsOf({ id: 'Not Valid', path: '/a' }).includes('ROOT_ID_INVALID'));
  assert.ok(problemsOf({ id: 'a' }).includes('ROOT_SOURCE_MISSING'));
  assert.ok(problemsOf({ id: 'a', path: 'relative' }).includes('ROOT_PATH_RELATIVE'));
});
