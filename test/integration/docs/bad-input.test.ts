import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { test } from 'node:test';
import fc from 'fast-check';
import { processCpuTime } from '../../../scripts/bench/cpu-time.ts';
import { nodeClock } from '../../../src/adapters/node/clock.ts';
import { createWalkerSearch } from '../../../src/docs/search/walker-search.ts';
import type { RootHost } from '../../../src/docs/ports/root-host.ts';
import { docsClient } from '../../harness/docs-client.ts';
import { rootHost, rootVariables } from '../../harness/root-host.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const canary = 'canary-that-must-not-be-read';

async function world(files: Readonly<Record<string, string | Uint8Array>> = {}, changed: Partial<RootHost> = {}) {
  const folder = await tempFolder({ 'secret.txt': canary, 'main/a.md': 'text\n' });
  await folder.write(Object.fromEntries(Object.entries(files).map(([path, text]) => [`main/${path}`, text])));
  return {
    root: join(folder.path, 'main'),
    folder,
    ...docsClient(rootVariables(folder.path, { docs: ['main'] }), changed),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
const readers = [
  ['open_file', {}],
  ['get_snippet', { start_line: 1, end_line: 2 }],
  ['list_dir', {}],
] as const;

test('[P4] no spelling of a path leaves the root', async () => {
  await using docs = await world({ 'sub/b.md': 'text\n' });
  const spellings = [
    '../secret.txt',
    'sub/../../secret.txt',
    './../secret.txt',
    'sub/../../main/../secret.txt',
    '..\\secret.txt',
    'sub\\..\\..\\secret.txt',
    '..',
    '../',
    '/etc/passwd',
    join(docs.folder.path, 'secret.txt'),
    '//host/share/x',
    '\\\\host\\share\\x',
    '\\\\?\\C:\\x',
    'C:\\windows\\win.ini',
    'C:x',
    'c:/x',
    'a.md\0.txt',
    '\0',
    '../main/a.md',
  ];
  for (const path of spellings)
    for (const [tool, more] of readers) {
      const answer = await docs.call(tool, { path, ...more });
      assert.equal(answer.code, 'PATH_OUT_OF_ROOT', `${tool} ${JSON.stringify(path)}`);
      assert.doesNotMatch(JSON.stringify(answer.body), new RegExp(canary));
    }
  for (const path of [
    '%2e%2e/secret.txt',
    '..%2fsecret.txt',
    '．．/secret.txt',
    '~/secret.txt',
    '$HOME',
    'a.md:stream',
    'nul',
  ])
    for (const [tool, more] of readers)
      assert.match(
        (await docs.call(tool, { path, ...more })).code ?? '',
        // A hidden name gets the same answer whether or not it exists.
        path.startsWith('.') ? /^(?:FILE|DIR)_UNREADABLE$/ : /^(?:FILE|DIR)_NOT_FOUND$/,
        `${tool} ${path}`,
      );
});

test('[P4] any path gives a result or an error code, and never a file outside the root', async () => {
  await using docs = await world({ 'sub/b.md': 'text\n' });
  const piece = fc.constantFrom(
    '..',
    '.',
    'sub',
    'a.md',
    'secret.txt',
    '',
    '/',
    '\\',
    '\0',
    'C:',
    ':',
    ' ',
    'é',
    'main',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), fc.constantFrom('/', '\\', ''), async (pieces, separator) => {
      for (const [tool, more] of readers) {
        const answer = await docs.call(tool, { path: pieces.join(separator), ...more });
        assert.equal(answer.isError, answer.code !== undefined);
        assert.doesNotMatch(JSON.stringify(answer.body), new RegExp(canary));
        assert.notEqual(answer.code, 'INTERNAL');
      }
    }),
  );
});

test('[P4] follows links only inside the root', async () => {
  await using docs = await world({ 'sub/b.md': 'text\n' });
  await symlink(join(docs.folder.path, 'secret.txt'), join(docs.root, 'out.md'));
  await symlink(docs.folder.path, join(docs.root, 'up'));
  await symlink('../..', join(docs.root, 'sub', 'relative'));
  await symlink('sub/b.md', join(docs.root, 'in.md'));
  await symlink('sub', join(docs.root, 'in'));
  for (const path of ['out.md', 'up/secret.txt', 'sub/relative/secret.txt'])
    assert.equal((await docs.call('open_file', { path })).code, 'PATH_LINK_ESCAPE', path);
  for (const path of ['up', 'sub/relative'])
    assert.equal((await docs.call('list_dir', { path })).code, 'PATH_LINK_ESCAPE', path);
  assert.equal((await docs.call('open_file', { path: 'in.md' })).isError, false);
  assert.equal((await docs.call('open_file', { path: 'in/b.md' })).isError, false);
  const { entries } = (await docs.call('list_dir')).result as { entries: { path: string; type: string }[] };
  assert.deepEqual(
    entries.map(entry => `${entry.path} ${entry.type}`),
    ['a.md file', 'in directory', 'in.md file', 'sub directory'],
  );
  assert.deepEqual((await docs.call('search', { query: canary })).hits, []);
  assert.deepEqual((await docs.call('smart_search', { query: canary })).hits, []);
});

test('rejects link loops, FIFOs and devices at once, and searches on', async () => {
  await using docs = await world({ 'sub/b.md': 'needle\n' });
  await symlink('loop-b', join(docs.root, 'loop-a'));
  await symlink('loop-a', join(docs.root, 'loop-b'));
  await symlink('.', join(docs.root, 'sub', 'self'));
  await symlink('/dev/zero', join(docs.root, 'zero.md'));
  execFileSync('mkfifo', [join(docs.root, 'pipe.md')]);
  const socket = createServer().listen(join(docs.root, 'socket.md'));
  await once(socket, 'listening');
  assert.equal((await docs.call('open_file', { path: 'socket.md' })).code, 'NOT_A_REGULAR_FILE');
  socket.close();
  assert.equal((await docs.call('open_file', { path: 'loop-a' })).code, 'FILE_UNREADABLE');
  assert.equal((await docs.call('open_file', { path: 'pipe.md' })).code, 'NOT_A_REGULAR_FILE');
  assert.equal(
    (await docs.call('get_snippet', { path: 'pipe.md', start_line: 1, end_line: 1 })).code,
    'NOT_A_REGULAR_FILE',
  );
  assert.equal((await docs.call('open_file', { path: 'zero.md' })).code, 'PATH_LINK_ESCAPE');
  assert.equal((await docs.call('open_file', { path: 'sub' })).code, 'NOT_A_REGULAR_FILE');
  assert.equal((await docs.call('list_dir', { path: 'a.md' })).code, 'DIR_NOT_FOUND');
  assert.equal((await docs.call('open_file', { path: 'a.md/x' })).isError, true);
  assert.deepEqual(
    (await docs.call('search', { query: 'needle' })).hits.map(hit => hit.path),
    ['sub/b.md'],
  );
});

test('handles a 2 GB file in every tool with little time and memory', async () => {
  await using docs = await world({ 'huge.md': 'first\nneedle\n', 'zeroes.bin': '' });
  await truncate(join(docs.root, 'zeroes.bin'), 2 * 1024 ** 3);
  const text = Buffer.alloc(8 * 1024 * 1024 + 1, 'line of text\n');
  await writeFile(join(docs.root, 'huge.md'), Buffer.concat([Buffer.from('first\nneedle\n'), text]));
  const began = processCpuTime();
  const before = process.memoryUsage().rss;
  assert.equal((await docs.call('open_file', { path: 'zeroes.bin' })).code, 'FILE_TOO_LARGE');
  assert.equal((await docs.call('open_file', { path: 'huge.md' })).code, 'FILE_TOO_LARGE');
  assert.equal(
    (await docs.call('get_snippet', { path: 'zeroes.bin', start_line: 1, end_line: 1 })).code,
    'FILE_BINARY',
  );
  const snippet = (await docs.call('get_snippet', { path: 'huge.md', start_line: 2, end_line: 2 })).result;
  assert.deepEqual((snippet as { lines: unknown }).lines, [{ line: 2, text: 'needle' }]);
  const far = await docs.call('get_snippet', { path: 'huge.md', start_line: 600_000, end_line: 600_001 });
  assert.equal((far.result as { lines: unknown[] }).lines.length, 2);
  assert.deepEqual((await docs.call('search', { query: 'needle' })).hits, []);
  assert.ok(processCpuTime() - began < 5000);
  assert.ok(process.memoryUsage().rss - before < 200 * 1024 ** 2);
});

test('reports a file that exceeds the scan limit', async () => {
  await using docs = await world();
  // Sparse after its first line, but without a NUL in the part that is inspected.
  await writeFile(join(docs.root, 'endless.md'), Buffer.alloc(100_000, 'x'));
  await truncate(join(docs.root, 'endless.md'), 400 * 1024 * 1024);
  const answer = await docs.call('get_snippet', { path: 'endless.md', start_line: 5, end_line: 6 });
  assert.equal(answer.code, 'FILE_TOO_LARGE');
});

test('rejects binary files, and reads other encodings as far as possible', async () => {
  await using docs = await world({
    'image.png': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    'latin1.md': Buffer.from('caf\xe9\n', 'latin1'),
    'utf16.md': Buffer.from('\uFEFFhällo\nwörld\n', 'utf16le'),
    'bom.md': '\uFEFFhello\n',
    'empty.md': '',
  });
  const binary = await docs.call('open_file', { path: 'image.png' });
  assert.equal(binary.code, 'FILE_BINARY');
  assert.deepEqual(binary.error['details'], {
    root: 'main',
    path: 'image.png',
    size: 16,
    head: '89504e470d0a1a0a0000000d49484452',
  });
  const open = async (path: string) => {
    const { result } = await docs.call('open_file', { path });
    const { lines, encoding } = result as { lines: { text: string }[]; encoding: string };
    return [encoding, ...lines.map(line => line.text)];
  };
  assert.deepEqual(await open('latin1.md'), ['lossy', 'caf\uFFFD', '']);
  assert.deepEqual(await open('utf16.md'), ['utf-16', 'hällo', 'wörld', '']);
  assert.deepEqual(await open('bom.md'), ['utf-8', '\uFEFFhello', '']);
  assert.deepEqual(await open('empty.md'), ['utf-8', '']);
  const part = await docs.call('get_snippet', { path: 'utf16.md', start_line: 2, end_line: 9 });
  assert.deepEqual((part.result as { lines: unknown }).lines, [
    { line: 2, text: 'wörld' },
    { line: 3, text: '' },
  ]);
});

test('never opens, lists or finds hidden and ignored files', async () => {
  await using docs = await world({
    '.env': canary,
    '.git/config': canary,
    'build/x.md': canary,
    '.gitignore': 'build/\n',
  });
  for (const path of ['.env', '.git/config', 'build/x.md', '.gitignore'])
    assert.equal((await docs.call('open_file', { path })).code, 'FILE_UNREADABLE', path);
  for (const path of ['.git', 'build'])
    assert.equal((await docs.call('list_dir', { path })).code, 'DIR_UNREADABLE', path);
  assert.deepEqual((await docs.call('search', { query: canary })).hits, []);
  await symlink('.env', join(docs.root, 'env.md'));
  await symlink('.git', join(docs.root, 'git'));
  await symlink('build/x.md', join(docs.root, 'built.md'));
  for (const path of ['env.md', 'git/config', 'built.md'])
    assert.equal((await docs.call('open_file', { path })).code, 'FILE_UNREADABLE', path);
  assert.equal((await docs.call('list_dir', { path: 'git' })).code, 'DIR_UNREADABLE');
});

test('lists only names that can be opened through a link', async () => {
  await using docs = await world({
    'sub/hidden.md': canary,
    'sub/shown.md': 'shown\n',
    '.env': canary,
    '.gitignore': '/sub/hidden.md\n',
  });
  await symlink('sub', join(docs.root, 'link'));
  await symlink('.env', join(docs.root, 'env.md'));
  await symlink('sub/hidden.md', join(docs.root, 'other.md'));
  await symlink('sub/shown.md', join(docs.root, 'same.md'));
  const names = async (path: string): Promise<readonly string[]> => {
    const { entries } = (await docs.call('list_dir', { path })).result as { entries: { path: string }[] };
    return entries.map(entry => entry.path);
  };
  assert.deepEqual(await names('link'), ['link/shown.md']);
  assert.deepEqual(await names(''), ['a.md', 'link', 'same.md', 'sub']);
});

test(
  'reports only the file without read permission',
  { skip: getuid?.() === 0 && 'root may read everything' },
  async () => {
    await using docs = await world({ 'closed.md': 'needle', 'open.md': 'needle' });
    await chmod(join(docs.root, 'closed.md'), 0);
    assert.equal((await docs.call('open_file', { path: 'closed.md' })).code, 'FILE_UNREADABLE');
    assert.deepEqual(
      (await docs.call('search', { query: 'needle' })).hits.map(hit => hit.path),
      ['open.md'],
    );
  },
);

test('runs regular expressions in linear time, and rejects invalid ones', async () => {
  await using docs = await world({ 'a.md': `${'a'.repeat(50_000)}!\n` });
  const began = processCpuTime();
  for (const query of ['(a+)+$', '(a|aa)+$', '(a|a?)+b$', '(.*a){12}x', '([a-zA-Z]+)*[0-9]$'])
    assert.deepEqual((await docs.call('search', { query, regex: true })).hits, [], query);
  assert.ok(processCpuTime() - began < 5000);
  for (const query of ['(', 'a)(b', '[z-a]', '(?=x)', '\\1', '*'])
    assert.equal((await docs.call('search', { query, regex: true })).code, 'REGEX_INVALID', query);
  assert.equal((await docs.call('search', { query: '((a{900}){900}){900}', regex: true })).code, 'REGEX_TOO_COMPLEX');
});

test('runs globs and ignore rules in linear time in both searches', async () => {
  const name = 'a'.repeat(200);
  const slow = `${'*a'.repeat(30)}b`;
  const files = { [`${name}.md`]: 'needle\n', '.gitignore': `${slow}\n**/${slow}/**\n` };
  for (const changed of [{}, { ripgrep: undefined }]) {
    await using docs = await world(files, changed);
    const began = processCpuTime();
    for (const glob of [slow, `**/${slow}`, `${'{a,aa}'.repeat(4)}*${slow}`, `${'**/'.repeat(40)}x`])
      assert.deepEqual((await docs.call('search', { query: 'needle', file_glob: glob })).hits, [], glob);
    assert.equal((await docs.call('search', { query: 'needle' })).hits.length, 1);
    assert.equal((await docs.call('list_dir')).isError, false);
    assert.ok(processCpuTime() - began < 5000);
  }
});

test('rejects invalid arguments with their documented codes', async () => {
  await using docs = await world();
  const rows: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['search', {}, 'QUERY_EMPTY'],
    ['search', { query: '' }, 'QUERY_EMPTY'],
    ['smart_search', { query: ' \n' }, 'QUERY_EMPTY'],
    ['search', { query: 7 }, 'QUERY_EMPTY'],
    ['search', { query: 'x', limit: 0 }, 'LIMIT_INVALID'],
    ['search', { query: 'x', limit: 1.5 }, 'LIMIT_INVALID'],
    ['search', { query: 'x', limit: null }, 'LIMIT_INVALID'],
    ['search', { query: 'x', limit: -1 }, 'LIMIT_INVALID'],
    ['search', { query: 'x', limit: '5' }, 'LIMIT_INVALID'],
    ['search', { query: 'x', file_glob: 7 }, 'FILE_GLOB_INVALID'],
    ['search', { query: 'x', file_glob: '[a' }, 'GLOB_INVALID'],
    ['search', { query: 'x', exclude: ['{'] }, 'GLOB_INVALID'],
    ['search', { query: 'x'.repeat(5000) }, 'INVALID_INPUT'],
    ['search', { query: 'x', include: 'a' }, 'INVALID_INPUT'],
    ['search', { query: 'x', cursor: 'nonsense' }, 'CURSOR_STALE'],
    ['search', { query: 'x', scope: '' }, 'SCOPE_INVALID'],
    ['search', { query: 'x', scope: [] }, 'SCOPE_INVALID'],
    ['search', { query: 'x', scope: null }, 'SCOPE_INVALID'],
    ['search', { query: 'x', scope: 'typo' }, 'ROOT_UNKNOWN'],
    ['search', { query: 'x', color: 'red' }, 'ARGUMENT_UNKNOWN'],
    ['open_file', {}, 'PATH_EMPTY'],
    ['open_file', { path: '' }, 'PATH_EMPTY'],
    ['open_file', { path: 7 }, 'PATH_EMPTY'],
    ['open_file', { path: 'gone.md' }, 'FILE_NOT_FOUND'],
    ['list_dir', { path: 'gone' }, 'DIR_NOT_FOUND'],
    ['get_snippet', { path: 'a.md' }, 'RANGE_INVALID'],
    ['get_snippet', { path: 'a.md', start_line: 0, end_line: 1 }, 'RANGE_INVALID'],
    ['get_snippet', { path: 'a.md', start_line: 2, end_line: 1 }, 'RANGE_INVALID'],
    ['get_snippet', { path: 'a.md', start_line: '1', end_line: 1 }, 'RANGE_INVALID'],
    ['roots_list', { x: 1 }, 'ARGUMENT_UNKNOWN'],
  ];
  for (const [tool, args, code] of rows) {
    const answer = await docs.call(tool, args);
    assert.equal(answer.code, code, `${tool} ${JSON.stringify(args).slice(0, 80)}`);
    assert.ok(typeof answer.error['hint'] === 'string' && typeof answer.error['retryable'] === 'boolean');
  }
});

test('reports a vanished root if it was named, and skips it in a group', async () => {
  await using folder = await tempFolder({ 'one/a.md': 'needle', 'two/b.md': 'needle' });
  const docs = docsClient(rootVariables(folder.path, { docs: ['one', 'two'] }));
  await rename(join(folder.path, 'two'), join(folder.path, 'elsewhere'));
  for (const [tool, args] of [
    ['search', { query: 'needle' }],
    ['smart_search', { query: 'needle' }],
  ] as const) {
    const group = await docs.call(tool, args);
    assert.deepEqual(
      group.hits.map(hit => hit.root),
      ['one'],
    );
    assert.deepEqual(group.meta['skipped'], [{ root: 'two', reason: 'ROOT_UNAVAILABLE' }]);
    assert.equal((await docs.call(tool, { ...args, scope: 'two' })).code, 'ROOT_UNAVAILABLE');
  }
  assert.equal((await docs.call('open_file', { path: 'b.md', scope: 'two' })).code, 'ROOT_UNAVAILABLE');
  await rm(join(folder.path, 'one'), { recursive: true });
  assert.equal((await docs.call('search', { query: 'needle' })).code, 'ROOT_UNAVAILABLE');
});

for (const backend of ['ripgrep', 'walker'] as const)
  test(`${backend}: reports a root that vanishes during a search`, async () => {
    for (const tool of ['search', 'smart_search']) {
      await using folder = await tempFolder({ 'two/b.md': 'needle\n' });
      await mkdir(join(folder.path, 'one'));
      for (let at = 0; at < 100; at += 1) await writeFile(join(folder.path, 'one', `${at}.md`), 'needle\n');
      const environment = rootVariables(folder.path, { docs: ['one', 'two'] });
      const host = rootHost(environment);
      const found = (backend === 'ripgrep' ? host.ripgrep : undefined) ?? createWalkerSearch(host.files, nodeClock);
      const docs = docsClient(environment, {
        ripgrep: {
          ...found,
          lines: (request, onHit, signal) =>
            found.lines(
              request,
              async hit => {
                await rm(join(folder.path, 'one'), { recursive: true, force: true });
                return onHit(hit);
              },
              signal,
            ),
        },
      });
      const { meta, isError } = await docs.call(tool, { query: 'needle', limit: 1000 });
      assert.deepEqual([isError, meta['skipped']], [false, [{ root: 'one', reason: 'ROOT_UNAVAILABLE' }]], tool);
    }
  });

test('reports a cancelled call as cancelled', async () => {
  await using docs = await world();
  const answer = await docs.call('search', { query: 'text' }, AbortSignal.abort());
  assert.equal(answer.code, 'SEARCH_CANCELLED');
});
