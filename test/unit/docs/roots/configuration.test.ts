import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfiguration } from '../../../../src/docs/roots/configuration.ts';
import { configurationOf } from '../../../../src/docs/roots/workspace-roots.ts';

type Env = Record<string, string>;
const base: Env = { DOCS_ROOT: '/docs' };
const problemsOf = (env: Env): readonly string[] =>
  readConfiguration(env).problems.map(problem => `${problem.variable} ${problem.reason}`);
const git = (changed: Env): Env => ({
  ...base,
  CODE_ROOTS: 'api',
  ROOT_API_GIT_URL: 'https://git.example.test/acme/api.git',
  WORKSPACE_DOCS_CACHE: '/cache',
  ...changed,
});

test('FR-003 FR-004 reads several local and git roots per namespace, with custom ids', () => {
  const { roots, problems, policy } = readConfiguration({
    DOCS_ROOTS: ' handbook , api-ref ',
    HARNESS_ROOTS: 'bots',
    ROOT_HANDBOOK_PATH: 'D:\\work\\handbook; =x',
    ROOT_API_REF_GIT_URL: 'https://git.example.test/acme/api.git',
    ROOT_API_REF_GIT_REF: 'release-3',
    ROOT_API_REF_SUBDIR: 'docs/site',
    ROOT_API_REF_TITLE: 'API reference',
    ROOT_BOTS_PATH: '/srv/bots',
    WORKSPACE_DOCS_CACHE: '/var/cache/wsdocs',
  });
  assert.deepEqual(problems, []);
  assert.deepEqual(
    roots.map(root => [root.namespace, root.id, root.title, root.subdir]),
    [
      ['docs', 'api-ref', 'API reference', 'docs/site'],
      ['docs', 'handbook', undefined, ''],
      ['harness', 'bots', undefined, ''],
    ],
  );
  assert.deepEqual(roots[0]?.source, {
    kind: 'git',
    url: 'https://git.example.test/acme/api.git',
    ref: 'release-3',
    variable: 'ROOT_API_REF_GIT_URL',
  });
  assert.deepEqual(roots[1]?.source, {
    kind: 'local',
    path: 'D:\\work\\handbook; =x',
    variable: 'ROOT_HANDBOOK_PATH',
  });
  assert.equal(policy.cache, '/var/cache/wsdocs');
});

test('supports the two old variables, and selects the old tools if only they are set', () => {
  const { roots, problems, isLegacy } = readConfiguration({ DOCS_ROOT: '/d', CODE_ROOT: '/c', PATH: '/bin' });
  assert.deepEqual(problems, []);
  assert.equal(isLegacy, true);
  assert.deepEqual(
    roots.map(root => root.id),
    ['docs-default', 'code-default'],
  );
  for (const added of ['HARNESS_ROOTS', 'ROOT_X_PATH', 'WORKSPACE_DOCS_OFFLINE'])
    assert.equal(readConfiguration({ ...base, [added]: '1' }).isLegacy, false, added);
  for (const same of [{ CODE_ROOTS: ' ' }, { WORKSPACE_DOCS_API: 'auto' }])
    assert.equal(readConfiguration({ ...base, ...same }).isLegacy, true);
  assert.equal(readConfiguration({ DOCS_ROOTS: 'a', ROOT_A_PATH: '/a' }).isLegacy, false);
});

test('FR-005 FR-013 requires a docs root, but no code root', () => {
  assert.deepEqual(problemsOf(base), []);
  for (const env of [{}, { DOCS_ROOT: '' }, { DOCS_ROOT: '  ', DOCS_ROOTS: '' }, { CODE_ROOT: '/c' }])
    assert.deepEqual(problemsOf(env), ['DOCS_ROOT MISSING_ROOT']);
  for (const empty of ['', '  ']) assert.deepEqual(problemsOf({ ...base, CODE_ROOT: empty, CODE_ROOTS: empty }), []);
});

test('FR-014 reports all problems at once, each with a reason and its variable', () => {
  const rows: readonly (readonly [Env, ...string[]])[] = [
    [{ ...base, CODE_ROOTS: 'a,,b', ROOT_A_PATH: '/a', ROOT_B_PATH: '/b' }, 'CODE_ROOTS EMPTY_ENTRY'],
    [{ ...base, CODE_ROOTS: ',a', ROOT_A_PATH: '/a' }, 'CODE_ROOTS EMPTY_ENTRY'],
    [{ ...base, CODE_ROOTS: 'a,', ROOT_A_PATH: '/a' }, 'CODE_ROOTS EMPTY_ENTRY'],
    ...['A', 'a_b', '-a', 'a-', 'a--b', 'a b', 'ä', 'x'.repeat(65), '../a', 'a/b'].map(
      id => [{ ...base, CODE_ROOTS: id }, 'CODE_ROOTS ROOT_ID_INVALID'] as const,
    ),
    ...['all', 'docs', 'code', 'harness', 'both', 'none', 'docs-default'].map(
      id => [{ ...base, CODE_ROOTS: id }, 'CODE_ROOTS ROOT_ID_RESERVED'] as const,
    ),
    [{ ...base, CODE_ROOTS: 'a,a', ROOT_A_PATH: '/a' }, 'CODE_ROOTS ROOT_ID_DUPLICATE'],
    [{ ...base, DOCS_ROOTS: 'a', HARNESS_ROOTS: 'a', ROOT_A_PATH: '/a' }, 'HARNESS_ROOTS ROOT_ID_DUPLICATE'],
    [{ ...base, CODE_ROOTS: 'a' }, 'ROOT_A_PATH ROOT_SOURCE_MISSING'],
    [{ ...base, CODE_ROOTS: 'a', ROOT_A_PATH: ' ' }, 'ROOT_A_PATH ROOT_SOURCE_MISSING'],
    [git({ ROOT_API_PATH: '/a' }), 'ROOT_API_GIT_URL ROOT_SOURCE_CONFLICT'],
    [{ ...base, CODE_ROOTS: 'a', ROOT_A_PATH: '/a', ROOT_A_GIT_REF: 'x' }, 'ROOT_A_GIT_REF ROOT_SOURCE_CONFLICT'],
    [{ ...base, CODE_ROOTS: 'a', ROOT_A_PATH: 'rel/a' }, 'ROOT_A_PATH ROOT_PATH_RELATIVE'],
    [{ DOCS_ROOT: './docs' }, 'DOCS_ROOT ROOT_PATH_RELATIVE'],
    ...['../x', '/x', 'a/../../x', 'C:\\x', '.git', 'a/.git/hooks'].map(
      subdir =>
        [
          { ...base, CODE_ROOTS: 'a', ROOT_A_PATH: '/a', ROOT_A_SUBDIR: subdir },
          'ROOT_A_SUBDIR SUBDIR_INVALID',
        ] as const,
    ),
    [git({ WORKSPACE_DOCS_CACHE: '' }), 'WORKSPACE_DOCS_CACHE CACHE_MISSING'],
    [git({ WORKSPACE_DOCS_CACHE: 'cache' }), 'WORKSPACE_DOCS_CACHE CACHE_UNSAFE', 'WORKSPACE_DOCS_CACHE CACHE_MISSING'],
    [{ ...base, WORKSPACE_DOCS_API: 'old' }, 'WORKSPACE_DOCS_API VALUE_INVALID'],
    [{ ...base, WORKSPACE_DOCS_OFFLINE: 'yes' }, 'WORKSPACE_DOCS_OFFLINE VALUE_INVALID'],
    [{ ...base, WORKSPACE_DOCS_GIT_PROTOCOLS: 'https,ext' }, 'WORKSPACE_DOCS_GIT_PROTOCOLS VALUE_INVALID'],
    [{ ...base, WORKSPACE_DOCS_GIT_TIMEOUT_MS: '0' }, 'WORKSPACE_DOCS_GIT_TIMEOUT_MS VALUE_INVALID'],
    [{ ...base, WORKSPACE_DOCS_GIT_MAX_MB: '1e3' }, 'WORKSPACE_DOCS_GIT_MAX_MB VALUE_INVALID'],
    [
      { CODE_ROOTS: 'a,B', ROOT_A_PATH: 'x' },
      'ROOT_A_PATH ROOT_PATH_RELATIVE',
      'CODE_ROOTS ROOT_ID_INVALID',
      'DOCS_ROOT MISSING_ROOT',
    ],
  ];
  for (const [env, ...expected] of rows)
    assert.deepEqual(problemsOf(env).toSorted(), expected.toSorted(), JSON.stringify(env));
});

test('rejects URLs and refs with options, helpers, credentials or forbidden protocols', () => {
  const invalid = [
    '-oProxyCommand=x',
    '--upload-pack=x',
    'ext::sh -c x',
    'fd::17',
    'x::y',
    'https://',
    'api',
    '/srv/api',
  ];
  for (const url of [
    ...invalid,
    'https://-host/x',
    'ssh://-oProxyCommand=x/y',
    '-u@host:x',
    'ho st:x',
    'https://a\nb/c',
  ])
    assert.deepEqual(problemsOf(git({ ROOT_API_GIT_URL: url })), ['ROOT_API_GIT_URL GIT_URL_INVALID'], url);
  for (const url of ['http://h/x', 'file:///srv/x', 'git://h/x', 'ftp://h/x'])
    assert.deepEqual(problemsOf(git({ ROOT_API_GIT_URL: url })), ['ROOT_API_GIT_URL GIT_PROTOCOL_FORBIDDEN'], url);
  for (const url of ['https://user:secret@h/x', 'https://token@h/x', 'ssh://me:secret@h/x']) {
    const { problems } = readConfiguration(git({ ROOT_API_GIT_URL: url }));
    assert.equal(problems[0]?.reason, 'GIT_URL_HAS_CREDENTIALS', url);
    assert.doesNotMatch(JSON.stringify(problems), /secret|token@/);
  }
  for (const url of ['https://h/x', 'ssh://git@h:22/x', 'git@host.example:acme/x.git'])
    assert.deepEqual(problemsOf(git({ ROOT_API_GIT_URL: url })), [], url);
  const withFile = git({ ROOT_API_GIT_URL: 'file:///srv/x', WORKSPACE_DOCS_GIT_PROTOCOLS: 'https, file' });
  assert.deepEqual(problemsOf(withFile), []);

  for (const ref of [
    '--upload-pack=x',
    '-x',
    'a..b',
    'a b',
    'a:b',
    '+a:b',
    'a~1',
    'a^',
    'x.lock',
    '/a',
    'a/',
    '@{u}',
    'a\\b',
    '*',
  ])
    assert.deepEqual(problemsOf(git({ ROOT_API_GIT_REF: ref })), ['ROOT_API_GIT_REF GIT_REF_INVALID'], ref);
  for (const ref of ['main', 'release/3.1', 'v1.0', 'refs/heads/x', 'a'.repeat(40)])
    assert.deepEqual(problemsOf(git({ ROOT_API_GIT_REF: ref })), [], ref);
});

test('warns about a variable of a root that is not listed', () => {
  const { warnings } = readConfiguration({
    ...base,
    CODE_ROOTS: 'api-ref',
    ROOT_API_REF_PATH: '/a',
    ROOT_APIREF_PATH: '/b',
  });
  assert.deepEqual(warnings, [
    'ROOT_APIREF_PATH is set, but its root is not in DOCS_ROOTS, CODE_ROOTS or HARNESS_ROOTS',
  ]);
});

test('uses workspace folders as code roots and their docs folders as docs roots by default', () => {
  const folders = [
    { name: 'My Game', path: '/w/game', hasDocs: true },
    { name: 'my-game', path: '/w/other', hasDocs: false },
    { name: 'docs', path: '/w/docs', hasDocs: false },
    { name: '…', path: '/w/x', hasDocs: false },
  ];
  const { roots, problems } = configurationOf({ PATH: '/bin' }, folders, '/cache');
  assert.deepEqual(problems, []);
  assert.deepEqual(
    roots.map(root => [root.namespace, root.id, root.subdir]),
    [
      ['docs', 'my-game-docs', 'docs'],
      ['code', 'docs-2', ''],
      ['code', 'my-game', ''],
      ['code', 'my-game-2', ''],
      ['code', 'workspace', ''],
    ],
  );
  assert.deepEqual(
    configurationOf(base, folders, undefined).roots.map(root => root.id),
    ['docs-default'],
  );
});
