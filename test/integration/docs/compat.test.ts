import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { OldToolError } from '../../../src/docs/tools/compat/old-error.ts';
import { docsClient } from '../../harness/docs-client.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { toolCall } from '../../harness/tool-call.ts';

/** Two small roots with the old configuration; calls use the old tools. */
async function world() {
  const folder = await tempFolder({
    'docs/guide/intro.md': '# Intro\n  start the daemon  \n',
    'docs/both.md': 'needle in docs\n',
    'docs/.hidden.md': 'needle\n',
    'code/src/main.ts': 'needle();\n// needle\n',
    'code/both.md': 'needle in code\n',
    'code/docs/odd.md': 'needle in a folder that is called docs\n',
  });
  const { compat } = docsClient({ DOCS_ROOT: `${folder.path}/docs`, CODE_ROOT: `${folder.path}/code` });
  return {
    folder,
    async call(name: string, args: object) {
      const answer = await compat.call(name, args, toolCall());
      assert.ok(answer !== undefined);
      const { meta, result } = answer.structuredContent as { meta: Record<string, unknown>; result: unknown };
      return { result, meta: { ...meta, duration_ms: 0 }, answer: { ...answer } as Record<string, unknown> };
    },
    async failure(name: string, args: unknown) {
      try {
        await compat.call(name, args, toolCall());
      } catch (error) {
        assert.ok(error instanceof OldToolError);
        return error;
      }
      return assert.fail(`${name} ${JSON.stringify(args)} is answered`);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
const meta = (repo: string, truncated = false) => ({ repo, duration_ms: 0, truncated });

test('FR-001 FR-002 SC-001 search keeps repo, default limit, order and hits without root', async () => {
  await using old = await world();
  assert.deepEqual((await old.call('search', { query: 'needle' })).result, [
    { path: 'both.md', line: 1, preview: 'needle in docs' },
    { path: 'both.md', line: 1, preview: 'needle in code' },
    { path: 'docs/odd.md', line: 1, preview: 'needle in a folder that is called docs' },
    { path: 'src/main.ts', line: 1, preview: 'needle();' },
    { path: 'src/main.ts', line: 2, preview: '// needle' },
  ]);
  const docs = await old.call('search', { query: 'needle', repo: 'docs' });
  assert.deepEqual(docs.result, [{ path: 'both.md', line: 1, preview: 'needle in docs' }]);
  assert.deepEqual(docs.meta, meta('docs'));
  assert.deepEqual((await old.call('search', { query: 'needle', repo: 'both' })).meta, meta('both'));
  const limited = await old.call('search', { query: 'needle', limit: 1 });
  assert.deepEqual(
    [limited.result, limited.meta],
    [[{ path: 'both.md', line: 1, preview: 'needle in docs' }], meta('both', true)],
  );
  assert.deepEqual((await old.call('search', { query: 'Needle', unknown: 1 })).result, []);
  assert.deepEqual((await old.call('search', { query: 'needle', file_glob: 'code/**/*.ts' })).result, [
    { path: 'src/main.ts', line: 1, preview: 'needle();' },
    { path: 'src/main.ts', line: 2, preview: '// needle' },
  ]);
  assert.equal(((await old.call('search', { query: 'needle', file_glob: 'docs/**' })).result as unknown[]).length, 1);
});

test('[SC-001] a glob that starts with the name of a root selects that root, also with repo', async () => {
  await using old = await world();
  for (const tool of ['search', 'smart_search']) {
    const search = async (args: object): Promise<readonly string[]> =>
      ((await old.call(tool, { query: 'needle', ...args })).result as { preview: string }[]).map(one => one.preview);
    assert.deepEqual(await search({ repo: 'both', file_glob: 'docs/**/*.md' }), ['needle in docs']);
    assert.deepEqual(await search({ repo: 'docs', file_glob: 'docs/**' }), ['needle in docs']);
    assert.deepEqual(await search({ repo: 'both', file_glob: 'code/src/*.ts' }), ['needle();', '// needle']);
    assert.deepEqual(await search({ repo: 'code', file_glob: 'docs/*.md' }), [
      'needle in a folder that is called docs',
    ]);
  }
});

test('FR-002 smart_search is the same search with the repo in each hit', async () => {
  await using old = await world();
  const { result } = await old.call('smart_search', { query: 'needle in' });
  assert.deepEqual(result, [
    { repo: 'docs', path: 'both.md', line: 1, preview: 'needle in docs' },
    { repo: 'code', path: 'both.md', line: 1, preview: 'needle in code' },
    { repo: 'code', path: 'docs/odd.md', line: 1, preview: 'needle in a folder that is called docs' },
  ]);
  assert.deepEqual((await old.call('smart_search', { query: 'in needle' })).result, []);
});

test('FR-002 reading selects the root by repo, by the first name, or by where the file is', async () => {
  await using old = await world();
  const lines = [
    { line: 1, text: '# Intro' },
    { line: 2, text: '  start the daemon  ' },
    { line: 3, text: '' },
  ];
  for (const [args, path] of [
    [{ path: 'guide/intro.md' }, 'guide/intro.md'],
    [{ path: 'docs/guide/intro.md' }, 'guide/intro.md'],
    [{ path: './guide/../guide/intro.md', repo: 'docs' }, './guide/../guide/intro.md'],
  ] as const) {
    const answer = await old.call('open_file', args);
    assert.deepEqual([answer.result, answer.meta], [{ path, lines }, meta('docs')]);
  }
  assert.deepEqual((await old.call('get_snippet', { path: 'guide/intro.md', start_line: 2, end_line: 99 })).result, {
    path: 'guide/intro.md',
    start_line: 2,
    end_line: 3,
    lines: lines.slice(1),
  });
  assert.deepEqual((await old.call('get_snippet', { path: 'guide/intro.md', start_line: 99, end_line: 60 })).result, {
    path: 'guide/intro.md',
    start_line: 3,
    end_line: 3,
    lines: lines.slice(2),
  });
  assert.deepEqual((await old.call('open_file', { path: 'docs/odd.md', repo: 'code' })).meta, meta('code'));
});

test('[P4] opens no hidden file, no git configuration and no ignored file', async () => {
  await using old = await world();
  await old.folder.write({
    'docs/.env': 'TOKEN=secret',
    'docs/.git/config': 'secret',
    'docs/.gitignore': 'private/',
    'docs/private/key.md': 'secret',
  });
  for (const path of ['.hidden.md', '.env', '.git/config', 'private/key.md', 'guide/../.env']) {
    const target = { path, repo: 'docs' };
    assert.equal((await old.failure('open_file', target)).message.includes('secret'), false, path);
    await old.failure('get_snippet', { ...target, start_line: 1, end_line: 1 });
  }
  for (const path of ['.git', 'private']) await old.failure('list_dir', { path, repo: 'docs' });
});

test('FR-002 listing shows the two roots, then their contents', async () => {
  await using old = await world();
  for (const args of [{}, { path: '.' }]) {
    const top = await old.call('list_dir', args);
    assert.deepEqual((top.result as { entries: unknown }).entries, [
      { path: 'docs', type: 'directory' },
      { path: 'code', type: 'directory' },
    ]);
    assert.deepEqual(top.meta, meta('both'));
  }
  assert.deepEqual((await old.call('list_dir', { path: 'docs' })).result, {
    path: '',
    entries: [
      { path: 'both.md', type: 'file' },
      { path: 'guide', type: 'directory' },
    ],
  });
  assert.deepEqual((await old.call('list_dir', { repo: 'code', path: 'src/' })).result, {
    path: 'src/',
    entries: [{ path: 'src/main.ts', type: 'file' }],
  });
});

test('FR-014 failures are protocol errors with the old codes and details', async () => {
  await using old = await world();
  const rows: readonly (readonly [string, unknown, string, object])[] = [
    ['open_file', { path: 'gone.md' }, 'FILE_NOT_FOUND', { repo: 'both', path: 'gone.md' }],
    ['open_file', { path: 'gone.md', repo: 'code' }, 'FILE_NOT_FOUND', { repo: 'code', path: 'gone.md' }],
    ['open_file', { path: 'both.md' }, 'PATH_AMBIGUOUS', { repo: 'both', path: 'both.md', repos: ['docs', 'code'] }],
    ['open_file', { path: '../x', repo: 'docs' }, 'PATH_OUT_OF_ROOT', { repo: 'docs', path: '../x' }],
    ['open_file', { path: 'x', repo: 'both' }, 'REPO_INVALID', { repo: 'both' }],
    ['list_dir', { path: 'gone', repo: 'docs' }, 'DIR_NOT_FOUND', { repo: 'docs', path: 'gone' }],
    ['search', { query: 'x', repo: 'nope' }, 'REPO_INVALID', { repo: 'nope' }],
    ['search', { query: ' ' }, 'QUERY_EMPTY', { query: ' ' }],
    ['search', { query: 'x', limit: null }, 'LIMIT_INVALID', { limit: 'null' }],
    ['search', { query: 'x', file_glob: 7 }, 'FILE_GLOB_INVALID', { file_glob: '7' }],
    ['search', 'not an object', 'QUERY_EMPTY', { query: '' }],
  ];
  for (const [tool, args, code, details] of rows) {
    const { code: rpc, data, message } = await old.failure(tool, args);
    assert.equal(rpc, -32_000);
    assert.deepEqual(data, { error: { code, message, details } }, `${tool} ${JSON.stringify(args)}`);
  }
  const unknown = await old.failure('dance', {});
  assert.deepEqual([unknown.code, unknown.data], [-32_601, { tool: 'dance' }]);
});

test('FR-002 an answer is JSON text, structured content and data with the same content', async () => {
  await using old = await world();
  const { answer } = await old.call('search', { query: 'daemon' });
  const content = answer['content'] as readonly { type: string; text: string }[];
  assert.equal(content.length, 1);
  assert.deepEqual(JSON.parse(content[0]?.text ?? ''), answer['data']);
  assert.deepEqual(answer['structuredContent'], answer['data']);
  assert.equal(answer['isError'], false);
});

test('reports repo as deprecated, accepts scope, and rejects both together', async () => {
  await using old = await world();
  assert.deepEqual((await old.call('search', { query: 'x', repo: 'docs' })).answer['_meta'], { deprecated: ['repo'] });
  assert.equal((await old.call('search', { query: 'x' })).answer['_meta'], undefined);
  assert.equal(((await old.call('search', { query: 'needle', scope: 'docs' })).result as unknown[]).length, 1);
  const both = await old.failure('search', { query: 'x', repo: 'docs', scope: 'docs' });
  assert.deepEqual((both.data as { error: { code: string; details: unknown } }).error, {
    code: 'LEGACY_INPUT',
    message: both.message,
    details: { field: 'repo', scope: ['docs'] },
  });
  const typo = await old.failure('search', { query: 'x', scope: 'typo' });
  assert.match(JSON.stringify(typo.data), /"root":"typo"/);
  assert.deepEqual(((await old.call('list_dir', { scope: 'all' })).result as { entries: unknown }).entries, [
    { path: 'docs-default', type: 'directory' },
    { path: 'code-default', type: 'directory' },
  ]);
});

test('FR-017 the current tools reject repo and name the scope to use', async () => {
  await using folder = await tempFolder({ 'docs/a.md': 'x' });
  const docs = docsClient({ DOCS_ROOT: `${folder.path}/docs` });
  for (const [repo, scope] of [
    ['docs', ['docs']],
    ['code', ['code']],
    ['both', ['docs', 'code']],
  ] as const)
    for (const tool of ['search', 'smart_search', 'open_file', 'get_snippet', 'list_dir']) {
      const { code, error } = await docs.call(tool, { repo, query: 'x', path: 'x' });
      assert.equal(code, 'LEGACY_INPUT', tool);
      assert.deepEqual(error['details'], { field: 'repo', scope });
    }
});

test('FR-001 the compatibility page lists every tool, every old code and the end of support', () => {
  const audit = readFileSync(new URL('../../../docs/retrieval-compatibility.md', import.meta.url), 'utf8');
  for (const name of ['list_dir', 'open_file', 'get_snippet', 'search', 'smart_search'])
    assert.ok(audit.includes(`\`${name}\``), name);
  const codes =
    'CONFIG_INVALID QUERY_EMPTY LIMIT_INVALID FILE_GLOB_INVALID REPO_INVALID PATH_EMPTY PATH_OUT_OF_ROOT PATH_AMBIGUOUS ' +
    'FILE_NOT_FOUND FILE_UNREADABLE RANGE_INVALID DIR_NOT_FOUND DIR_UNREADABLE INTERNAL_ERROR INVALID_REQUEST TOOL_NOT_FOUND';
  for (const code of codes.split(' ')) assert.ok(audit.includes(`\`${code}\``), code);
  assert.match(audit, /1\.2\.0.*`auto` means `strict`/);
  assert.match(audit, /2\.0\.0.*removed/);
});
