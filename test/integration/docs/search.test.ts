import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rgPath } from '@vscode/ripgrep';
import fc from 'fast-check';
import { createRipgrepSearch } from '../../../src/docs/adapters/ripgrep/ripgrep.ts';
import type { RootHost } from '../../../src/docs/ports/root-host.ts';
import { RETRIEVAL_LIMITS } from '../../../src/protocol/limits.ts';
import { type DocsHit, docsClient } from '../../harness/docs-client.ts';
import { rootVariables } from '../../harness/root-host.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const backends: readonly (readonly [string, Partial<RootHost>])[] = [
  ['ripgrep', {}],
  ['walker', { ripgrep: undefined }],
];
const ids = { docs: ['guide', 'api'], code: ['game'], harness: ['bots'] } as const;
const place = (hit: DocsHit): string => `${hit.root}:${hit.path}:${hit.line}`;

async function world(files: Readonly<Record<string, string>>, changed: Partial<RootHost> = {}) {
  const folder = await tempFolder({ 'guide/.x': '', 'api/.x': '', 'game/.x': '', 'bots/.x': '', ...files });
  return {
    folder,
    ...docsClient(rootVariables(folder.path, ids), changed),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** Names that sort around the slash, names above U+FFFF, and folders whose names are prefixes of their siblings' names. */
const oddPaths = [
  'a/x.md',
  'a-b/y.md',
  'a.md',
  'a/y/z.md',
  'a/y.md',
  'a0.md',
  'B.md',
  '\u{1F600}.md',
  '\uFF21.md',
  'a!/x.md',
];

test('FR-009 every hit has a root, namespace, path, line and preview', async () => {
  await using docs = await world({ 'api/http/errors.md': 'one\n\t429 means slow down  \n' });
  const { hits, meta, result } = await docs.call('search', { query: 'slow down' });
  assert.deepEqual(result, [
    { root: 'api', type: 'docs', path: 'http/errors.md', line: 2, preview: '\t429 means slow down  ' },
  ]);
  assert.equal(hits.length, 1);
  assert.deepEqual(
    { ...meta, duration_ms: 0 },
    {
      repo: 'mixed',
      duration_ms: 0,
      truncated: false,
      scope: ['api', 'guide', 'game', 'bots'],
      commits: {},
      skipped: [],
      summary: '1 hit for slow down',
    },
  );
});

test('FR-004 FR-008 scope accepts a root, a namespace, a list or all', async () => {
  await using docs = await world(
    Object.fromEntries(
      Object.values(ids)
        .flat()
        .map(id => [`${id}/a.md`, 'needle']),
    ),
  );
  const roots = async (scope?: unknown) =>
    (await docs.call('search', { query: 'needle', ...(scope === undefined ? {} : { scope }) })).hits.map(
      hit => hit.root,
    );
  assert.deepEqual(await roots(), ['api', 'guide', 'game', 'bots']);
  assert.deepEqual(await roots('all'), ['api', 'guide', 'game', 'bots']);
  assert.deepEqual(await roots('docs'), ['api', 'guide']);
  assert.deepEqual(await roots(['bots', 'api']), ['api', 'bots']);
  assert.deepEqual(await roots('game'), ['game']);
});

for (const [name, changed] of backends) {
  test(`FR-007 SC-003 ${name}: 200 searches of 4 roots in any order give equal bytes`, async () => {
    const files = Object.fromEntries(
      Object.values(ids)
        .flat()
        .flatMap(id => oddPaths.map(path => [`${id}/${path}`, 'needle one\nneedle two\nneedle three\n'])),
    );
    await using docs = await world(files, changed);
    const reversed = docsClient(
      rootVariables(docs.folder.path, {
        harness: ids.harness,
        code: ids.code,
        docs: [...ids.docs].reverse(),
      }),
      changed,
    );
    const bytes = async (client: Pick<typeof docs, 'call'>, tool: string, limit: number) => {
      const { result, meta } = await client.call(tool, { query: 'needle', limit });
      return JSON.stringify([result, { ...meta, duration_ms: 0 }]);
    };
    for (const tool of ['search', 'smart_search']) {
      const first = [await bytes(docs, tool, 1000), await bytes(docs, tool, 7)] as const;
      for (let call = 0; call < 200; call += 1) {
        const client = call % 3 === 0 ? reversed : docs;
        assert.equal(await bytes(client, tool, call % 2 === 0 ? 1000 : 7), first[call % 2]);
      }
    }
    const expected = ['api', 'guide', 'game', 'bots'].flatMap(id =>
      oddPaths.toSorted().flatMap(path => [1, 2, 3].map(line => `${id}:${path}:${line}`)),
    );
    assert.deepEqual((await docs.call('search', { query: 'needle', limit: 1000 })).hits.map(place), expected);
  });

  test(`${name}: pages of any size add up to the whole result`, async () => {
    const files = Object.fromEntries(
      ['guide', 'game'].flatMap(id => oddPaths.map((path, at) => [`${id}/${path}`, 'needle x\n'.repeat(at + 1)])),
    );
    await using docs = await world(files, changed);
    for (const tool of ['search', 'smart_search'] as const) {
      const whole = await docs.call(tool, { query: 'needle', limit: 1000 });
      assert.equal(whole.meta['truncated'], false);
      for (const limit of [1, 7, 50]) {
        const seen: DocsHit[] = [];
        let cursor: unknown;
        for (let page = 0; page < 200; page += 1) {
          const answer = await docs.call(tool, { query: 'needle', limit, ...(cursor === undefined ? {} : { cursor }) });
          seen.push(...answer.hits);
          assert.equal(answer.meta['truncated'], answer.meta['next'] !== undefined);
          cursor = answer.meta['next'];
          if (cursor === undefined) break;
        }
        assert.deepEqual(seen, whole.hits, `${tool} by ${limit}`);
      }
    }
  });
}

for (const [name, changed] of backends)
  test(`${name}: counts the too large files in a complete search`, async () => {
    const large = Buffer.alloc(RETRIEVAL_LIMITS.searchedFileBytes + 1, 'x\n');
    await using docs = await world({ 'guide/a.md': 'needle\n'.repeat(3), 'game/.gitignore': 'out/\n' }, changed);
    for (const path of ['guide/big.md', 'guide/deep/big.txt', 'game/big.md', 'game/out/big.md'])
      await docs.folder.write({ [path]: large });
    const counted = [
      { root: 'guide', reason: 'FILE_TOO_LARGE', count: 2 },
      { root: 'game', reason: 'FILE_TOO_LARGE', count: 1 },
    ];
    for (const tool of ['search', 'smart_search'])
      assert.deepEqual((await docs.call(tool, { query: 'needle' })).meta['skipped'], counted, tool);
    const scoped = await docs.call('search', { query: 'needle', file_glob: '**/*.txt' });
    assert.deepEqual(scoped.meta['skipped'], [{ root: 'guide', reason: 'FILE_TOO_LARGE', count: 1 }]);
    const page = await docs.call('search', { query: 'needle', limit: 2 });
    assert.deepEqual([page.meta['truncated'], page.meta['skipped']], [true, []]);
    const rest = await docs.call('search', { query: 'needle', limit: 2, cursor: page.meta['next'] });
    assert.deepEqual([rest.meta['truncated'], rest.meta['skipped']], [false, counted]);
  });

test('a search that ends early returns the same page as a complete search', async () => {
  const name = fc.constantFrom('a', 'a-b', 'a.md', 'b', 'a b', '\u{1F600}', '\uFF21', 'a!', 'ab');
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map(names => `${names.join('/')}.txt`);
  const ripgrep = createRipgrepSearch(rgPath);
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(path, { minLength: 1, maxLength: 25 }),
      fc.integer({ min: 1, max: 12 }),
      async (paths, limit) => {
        await using folder = await tempFolder(
          Object.fromEntries(paths.map((one, at) => [`guide/${one}`, 'needle\n'.repeat((at % 3) + 1)])),
        );
        const docs = docsClient(rootVariables(folder.path, { docs: ['guide'] }), { ripgrep });
        const { hits } = await docs.call('search', { query: 'needle', limit });
        const all = paths
          .flatMap((one, at) => Array.from({ length: (at % 3) + 1 }, (_, line) => ({ one, line: line + 1 })))
          .toSorted((x, y) => (x.one < y.one ? -1 : x.one > y.one ? 1 : x.line - y.line));
        assert.deepEqual(
          hits.map(place),
          all.slice(0, limit).map(({ one, line }) => `guide:${one}:${line}`),
        );
      },
    ),
    { numRuns: 40 },
  );
});

test('rejects a cursor of another call', async () => {
  await using docs = await world({ 'guide/a.md': 'needle\n'.repeat(9) });
  const cursor = (await docs.call('search', { query: 'needle', limit: 2 })).meta['next'];
  assert.equal((await docs.call('search', { query: 'needle', limit: 3, cursor })).hits.length, 3);
  for (const other of [
    { query: 'needles' },
    { query: 'needle', scope: 'docs' },
    { query: 'needle', ignore_case: true },
  ])
    assert.equal((await docs.call('search', { limit: 2, cursor, ...other })).code, 'CURSOR_STALE');
});

test('supports globs for whole paths, options, and previews of long lines', async () => {
  await using docs = await world({
    'game/src/a.ts': 'Needle\n',
    'game/src/deep/b.ts': 'needle\n',
    'game/c.md': 'needles\n',
    'game/dist/d.ts': 'needle\n',
    'guide/long.md': `${'ä'.repeat(3000)} needle \u{1F600}${'ö'.repeat(3000)}\n`,
  });
  const found = async (args: object) =>
    (await docs.call('search', { query: 'needle', scope: 'game', ...args })).hits.map(place);
  assert.deepEqual(await found({}), ['game:c.md:1', 'game:dist/d.ts:1', 'game:src/deep/b.ts:1']);
  assert.deepEqual(await found({ file_glob: '*.md' }), ['game:c.md:1']);
  assert.deepEqual(await found({ file_glob: '' }), await found({}));
  assert.deepEqual(await found({ file_glob: '**/*.ts', ignore_case: true }), [
    'game:dist/d.ts:1',
    'game:src/a.ts:1',
    'game:src/deep/b.ts:1',
  ]);
  assert.deepEqual(await found({ include: ['src/**', '{c,x}.md'], exclude: ['**/deep'] }), ['game:c.md:1']);
  assert.deepEqual(await found({ whole_word: true, exclude: ['dist'] }), ['game:src/deep/b.ts:1']);
  assert.deepEqual(await found({ query: '^need.*s$', regex: true }), ['game:c.md:1']);
  await docs.folder.write({ 'game/ä.md': 'needle\n', 'game/\u{1F600}.md': 'needle\n' });
  assert.deepEqual(await found({ file_glob: '?.md' }), ['game:c.md:1', 'game:ä.md:1', 'game:\u{1F600}.md:1']);
  const [long] = (await docs.call('search', { query: 'needle', scope: 'guide' })).hits;
  assert.match(long?.preview ?? '', /^ä+ needle \u{1F600}ö+$/u);
  assert.ok((long?.preview.length ?? 0) <= 400);
});

test('limits the bytes of an answer and reports it as truncated', async () => {
  await using docs = await world({
    'guide/a.md': `needle ${'x'.repeat(390)}\n`.repeat(1000),
    'guide/b.md': `${'y'.repeat(200)}\n`.repeat(5000),
  });
  const { hits, meta } = await docs.call('search', { query: 'needle', limit: 1000 });
  assert.ok(hits.length < 1000 && hits.length > 100);
  assert.equal(meta['truncated'], true);
  const lines: number[] = [];
  let cursor: unknown;
  do {
    const page = await docs.call('open_file', { path: 'b.md', ...(cursor === undefined ? {} : { cursor }) });
    lines.push(...(page.result as { lines: { line: number }[] }).lines.map(line => line.line));
    cursor = page.meta['next'];
    assert.ok(JSON.stringify(page.body).length < 400 * 1024);
  } while (cursor !== undefined);
  assert.deepEqual(
    lines,
    Array.from({ length: 5001 }, (_, at) => at + 1),
  );
});

test('limits the bytes of an answer with characters of several bytes', async () => {
  await using docs = await world({ 'guide/a.md': `needle ${'語'.repeat(100)}\n`.repeat(2000) });
  for (const [tool, args] of [
    ['search', { query: 'needle', limit: 1000 }],
    ['open_file', { path: 'a.md' }],
    ['get_snippet', { path: 'a.md', start_line: 1, end_line: 2000 }],
  ] as const) {
    const { body } = await docs.call(tool, args);
    const bytes = Buffer.byteLength(JSON.stringify(body));
    assert.ok(bytes > 200 * 1024 && bytes < 320 * 1024, `${tool}: ${bytes}`);
  }
});

test('smart_search ranks names, headings and declarations first, and returns why', async () => {
  await using docs = await world({
    'guide/data-store.md': 'How to keep things.\n',
    'guide/saving.md': '# The data store\nA store of data, in words.\nUse the data store.\n',
    'game/src/store.luau': 'local function openDataStore(name)\nlocal x = store\n-- data\n',
  });
  const { hits } = await docs.call('smart_search', { query: 'data store' });
  assert.deepEqual(
    hits.map(hit => `${hit.why} ${place(hit)}`),
    [
      'name guide:data-store.md:1',
      'heading guide:saving.md:1',
      'symbol game:src/store.luau:1',
      'phrase guide:saving.md:3',
      'name game:src/store.luau:1',
      'text guide:saving.md:2',
      'text game:src/store.luau:2',
      'text game:src/store.luau:3',
    ],
  );
  assert.equal(hits[0]?.preview, 'How to keep things.');
});

test('FR-005 SC-002 a docs root alone answers ten representative calls', async () => {
  await using folder = await tempFolder({ 'docs/a.md': '# Needle\ntext\n', 'docs/sub/b.md': 'needle\n' });
  const docs = docsClient({ DOCS_ROOTS: 'only', ROOT_ONLY_PATH: `${folder.path}/docs` });
  const calls: readonly (readonly [string, object])[] = [
    ['list_dir', {}],
    ['list_dir', { path: 'sub' }],
    ['open_file', { path: 'a.md' }],
    ['open_file', { path: 'sub/b.md', scope: 'docs' }],
    ['get_snippet', { path: 'a.md', start_line: 1, end_line: 2 }],
    ['search', { query: 'needle' }],
    ['search', { query: 'needle', scope: 'code' }],
    ['search', { query: 'needle', scope: ['docs', 'harness'] }],
    ['search', { query: 'ne+dle', regex: true }],
    ['smart_search', { query: 'needle text' }],
    ['smart_search', { query: 'nothing like it' }],
    ['roots_list', {}],
  ];
  for (const [tool, args] of calls) {
    const answer = await docs.call(tool, { ...args });
    assert.equal(answer.isError, false, `${tool} ${JSON.stringify(args)} ${JSON.stringify(answer.error)}`);
  }
  const none = await docs.call('search', { query: 'needle', scope: 'code' });
  assert.deepEqual([none.hits, none.meta['skipped']], [[], [{ scope: 'code', reason: 'NO_ROOTS' }]]);
});

test('FR-013 FR-014 every call names the missing docs root, and roots_list lists all problems', async () => {
  const docs = docsClient({ CODE_ROOTS: 'a', ROOT_A_PATH: 'relative' });
  for (const [tool, args] of [
    ['search', { query: 'x' }],
    ['list_dir', {}],
    ['open_file', { path: 'x' }],
  ] as const) {
    const { code, error } = await docs.call(tool, args);
    assert.equal(code, 'CONFIG_INVALID');
    const { problems } = error['details'] as { problems: { variable: string; reason: string }[] };
    assert.deepEqual(
      problems.map(problem => `${problem.variable} ${problem.reason}`),
      ['ROOT_A_PATH ROOT_PATH_RELATIVE', 'DOCS_ROOT MISSING_ROOT'],
    );
  }
  const { problems } = (await docs.call('roots_list')).result as { problems: unknown[] };
  assert.equal(problems.length, 2);
});

test('FR-006 FR-010 roots_list returns the kind and location of each root', async () => {
  await using folder = await tempFolder({ 'a/x.md': '', 'b/sub/y.md': '' });
  const docs = docsClient({
    DOCS_ROOTS: 'a,twin,gone',
    CODE_ROOTS: 'b,outer',
    HARNESS_ROOTS: 'remote',
    ROOT_A_PATH: `${folder.path}/a`,
    ROOT_A_TITLE: 'The A',
    ROOT_TWIN_PATH: `${folder.path}/a/`,
    ROOT_GONE_PATH: `${folder.path}/gone`,
    ROOT_B_PATH: `${folder.path}/b`,
    ROOT_B_SUBDIR: 'sub',
    ROOT_OUTER_PATH: `${folder.path}/b`,
    ROOT_REMOTE_GIT_URL: 'https://git.example.test/x.git',
    WORKSPACE_DOCS_CACHE: `${folder.path}/b/cache`,
  });
  const { roots, problems, warnings } = (await docs.call('roots_list')).result as {
    roots: Record<string, unknown>[];
    problems: { variable: string; reason: string }[];
    warnings: string[];
  };
  assert.deepEqual(
    roots.map(root => [root['id'], root['type'], root['kind'], root['state'], root['workdir']]),
    [
      ['a', 'docs', 'local', 'ready', `${folder.path}/a`],
      ['gone', 'docs', 'local', 'ROOT_UNAVAILABLE', null],
      ['twin', 'docs', 'local', 'ready', `${folder.path}/a`],
      ['b', 'code', 'local', 'ready', `${folder.path}/b/sub`],
      ['outer', 'code', 'local', 'ready', `${folder.path}/b`],
      ['remote', 'harness', 'git', 'ROOT_NOT_SYNCED', null],
    ],
  );
  assert.deepEqual(
    problems.map(problem => `${problem.variable} ${problem.reason}`),
    ['ROOT_GONE_PATH ROOT_NOT_FOUND', 'ROOT_TWIN_PATH ROOT_PATH_DUPLICATE', 'WORKSPACE_DOCS_CACHE CACHE_UNSAFE'],
  );
  assert.equal(warnings.length, 1);
  const remote = await docs.call('search', { query: 'x', scope: 'remote' });
  assert.equal(remote.code, 'ROOT_NOT_SYNCED');
});
