import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfiguration } from '../../../../src/docs/roots/configuration.ts';
import { resolveScope } from '../../../../src/docs/scope/scope.ts';

const { roots } = readConfiguration({
  DOCS_ROOTS: 'z-docs,a-docs',
  HARNESS_ROOTS: 'bots',
  ROOT_Z_DOCS_PATH: '/z',
  ROOT_A_DOCS_PATH: '/a',
  ROOT_BOTS_PATH: '/b',
});
const ids = (scope: unknown): readonly string[] => resolveScope(scope, roots).roots.map(root => root.id);

test('FR-008 resolves a missing scope, a namespace, an id and lists of them, in result order', () => {
  assert.deepEqual(ids(undefined), ['a-docs', 'z-docs', 'bots']);
  assert.deepEqual(ids('all'), ['a-docs', 'z-docs', 'bots']);
  assert.deepEqual(ids('docs'), ['a-docs', 'z-docs']);
  assert.deepEqual(ids(['bots', 'z-docs', 'bots']), ['z-docs', 'bots']);
  assert.deepEqual(ids(['harness', 'a-docs']), ['a-docs', 'bots']);
});

test('rejects an empty or unknown scope', () => {
  for (const scope of ['', [], [''], null, 7, [null], {}, ['docs', '']])
    assert.throws(() => resolveScope(scope, roots), { code: 'SCOPE_INVALID' }, JSON.stringify(scope));
  for (const scope of ['typo', ['docs', 'typo'], 'DOCS', 'both'])
    assert.throws(() => resolveScope(scope, roots), {
      code: 'ROOT_UNKNOWN',
      details: { root: typeof scope === 'string' ? scope : 'typo', known: ['a-docs', 'z-docs', 'bots'] },
    });
});

test('reports a namespace without roots as empty', () => {
  assert.deepEqual(
    { ...resolveScope('code', roots), named: undefined },
    { roots: [], named: undefined, empty: ['code'] },
  );
});
