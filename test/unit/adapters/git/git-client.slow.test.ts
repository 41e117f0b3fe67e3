import { test } from 'node:test';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createGitClient } from '../../../../src/adapters/git/git-client.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import type { GitStatus } from '../../../../src/ports/git.ts';
import type { Logger } from '../../../../src/ports/logger.ts';

const run = promisify(execFile);
const blob = (text: string): string => nodeHasher.gitBlob(new TextEncoder().encode(text));
const warnings: string[] = [];
const log: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (_message, fields) => void warnings.push(String(fields?.['reason'])),
  error: () => undefined,
  child: () => log,
};

/** A repository in a temporary folder; `project` is the folder whose status is read. */
class Repository implements AsyncDisposable {
  readonly root: string;
  readonly project: string;

  constructor(root: string, project: string) {
    this.root = root;
    this.project = project;
  }

  static async create(project = '', init = true): Promise<Repository> {
    const root = await mkdtemp(join(tmpdir(), 'atlas-git-'));
    const repository = new Repository(root, join(root, project));
    await mkdir(repository.project, { recursive: true });
    if (init) await repository.git('init', '-q', '-b', 'main');
    return repository;
  }

  async git(...args: readonly string[]): Promise<string> {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'protocol.file.allow=always'];
    return (await run('git', [...identity, ...args], { cwd: this.root })).stdout;
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.root, path)), { recursive: true });
      await writeFile(join(this.root, path), text);
    }
  }

  async commit(files: Readonly<Record<string, string>>): Promise<void> {
    await this.write(files);
    await this.git('add', '-A');
    await this.git('commit', '-q', '-m', 'state');
  }

  status(folder = this.project): Promise<GitStatus | undefined> {
    return createGitClient(folder, log).status(new AbortController().signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}

interface Plain {
  readonly changed: readonly string[];
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
  readonly blobs: Readonly<Record<string, readonly string[]>>;
}
function plain(status: GitStatus | undefined): Plain {
  assert.ok(status, `no status: ${warnings.join()}`);
  return {
    changed: Array.from(status.changed).sort(),
    untracked: Array.from(status.untracked).sort(),
    ignored: Array.from(status.ignored).sort(),
    blobs: Object.fromEntries(status.blobs),
  };
}
const nothing: Plain = { changed: [], untracked: [], ignored: [], blobs: {} };

const cases: readonly {
  readonly name: string;
  readonly project?: string;
  readonly arrange: (repository: Repository) => Promise<void>;
  readonly expect: Partial<Plain>;
}[] = [
  { name: 'a clean repository', arrange: r => r.commit({ 'a.luau': 'one' }), expect: {} },
  {
    name: 'edited',
    arrange: async r => {
      await r.commit({ 'a.luau': 'one', 'b.luau': 'b' });
      await r.write({ 'a.luau': 'two' });
    },
    expect: { changed: ['a.luau'], blobs: { 'a.luau': [blob('one')] } },
  },
  {
    name: 'edited, staged and edited again',
    arrange: async r => {
      await r.commit({ 'a.luau': 'one' });
      await r.write({ 'a.luau': 'two' });
      await r.git('add', 'a.luau');
      await r.write({ 'a.luau': 'three' });
    },
    expect: { changed: ['a.luau'], blobs: { 'a.luau': [blob('one'), blob('two')] } },
  },
  {
    name: 'staged, then reverted on disk: the index still differs',
    arrange: async r => {
      await r.commit({ 'a.luau': 'one' });
      await r.write({ 'a.luau': 'two' });
      await r.git('add', 'a.luau');
      await r.write({ 'a.luau': 'one' });
    },
    expect: { changed: ['a.luau'], blobs: { 'a.luau': [blob('one'), blob('two')] } },
  },
  {
    name: 'rewritten with the same text',
    arrange: async r => {
      await r.commit({ 'a.luau': 'one' });
      await r.write({ 'a.luau': 'one' });
    },
    expect: {},
  },
  {
    name: 'new files and staged new files',
    arrange: async r => {
      await r.commit({ 'a.luau': 'one' });
      await r.write({ 'new/b.luau': 'b', 'new/c.luau': 'c', 'staged.luau': 's' });
      await r.git('add', 'staged.luau');
    },
    expect: {
      changed: ['new/b.luau', 'new/c.luau', 'staged.luau'],
      untracked: ['new/b.luau', 'new/c.luau'],
      blobs: { 'staged.luau': [blob('s')] },
    },
  },
  {
    name: 'names with spaces, quotes and letters beyond ASCII',
    arrange: async r => {
      await r.commit({ 'src/Tür ö.luau': 'one', 'src/say "hi".luau': 'one' });
      await r.write({ 'src/Tür ö.luau': 'two', 'src/say "hi".luau': 'two', 'src/新.luau': '' });
    },
    expect: {
      changed: ['src/Tür ö.luau', 'src/say "hi".luau', 'src/新.luau'],
      untracked: ['src/新.luau'],
      blobs: { 'src/Tür ö.luau': [blob('one')], 'src/say "hi".luau': [blob('one')] },
    },
  },
  {
    name: 'renamed: the old name is removed, the new one is tracked',
    arrange: async r => {
      await r.commit({ 'old.luau': 'one' });
      await r.git('mv', 'old.luau', 'new.luau');
    },
    expect: { changed: ['new.luau', 'old.luau'], blobs: { 'old.luau': [blob('one')], 'new.luau': [blob('one')] } },
  },
  {
    name: 'removed on disk',
    arrange: async r => {
      await r.commit({ 'a.luau': 'one' });
      await rm(join(r.root, 'a.luau'));
    },
    expect: { changed: ['a.luau'], blobs: { 'a.luau': [blob('one')] } },
  },
  {
    name: 'no commit yet',
    arrange: async r => {
      await r.write({ 'a.luau': 'one', 'b.luau': 'two' });
      await r.git('add', 'a.luau');
    },
    expect: { changed: ['a.luau', 'b.luau'], untracked: ['b.luau'], blobs: { 'a.luau': [blob('one')] } },
  },
  {
    name: 'a project below the root of the repository, with changes outside it',
    project: 'games/obby',
    arrange: async r => {
      await r.commit({ 'games/obby/a.luau': 'one', 'other.luau': 'one' });
      await r.write({ 'games/obby/a.luau': 'two', 'other.luau': 'two', 'games/obby/new.luau': '' });
    },
    expect: { changed: ['a.luau', 'new.luau'], untracked: ['new.luau'], blobs: { 'a.luau': [blob('one')] } },
  },
  {
    name: 'a project in a repository that ignores it whole',
    project: 'build/obby',
    arrange: async r => {
      await r.commit({ '.gitignore': 'build/' });
      await r.write({ 'build/obby/a.luau': 'one' });
    },
    expect: { ignored: [''] },
  },
  {
    name: 'CRLF that git stores as LF: the blob has the LF text, as Studio has',
    arrange: async r => {
      await r.commit({ '.gitattributes': '* text eol=crlf', 'a.luau': 'one\r\n' });
      await r.write({ 'a.luau': 'two\r\n' });
    },
    expect: { changed: ['a.luau'], blobs: { 'a.luau': [blob('one\n')] } },
  },
  {
    name: 'CRLF that git stores as CRLF: the LF text, as Studio has, is recognized too',
    arrange: async r => {
      await r.commit({ 'a.luau': 'one\r\ntwo\n' });
      await r.write({ 'a.luau': 'two\r\n' });
    },
    expect: { changed: ['a.luau'], blobs: { 'a.luau': [blob('one\r\ntwo\n'), blob('one\ntwo\n')] } },
  },
];

for (const { name, project, arrange, expect } of cases)
  test(name, async () => {
    await using repository = await Repository.create(project);
    await arrange(repository);
    assert.deepEqual(plain(await repository.status()), { ...nothing, ...expect });
  });

test('reads blobs by id, and lists those that the repository has', async () => {
  await using repository = await Repository.create();
  await repository.commit({ 'a.luau': 'return 1\n' });
  const client = createGitClient(repository.project, log);
  const ids = [blob('return 1\n'), blob('return 2\n')];
  const { signal } = new AbortController();
  assert.deepEqual(Array.from(await client.storedBlobs(ids, signal)), [blob('return 1\n')]);
  assert.deepEqual(await client.storedBlobs([], signal), new Set());
  assert.equal((await client.blob(blob('return 1\n'), signal))?.toString(), 'return 1\n');
  assert.equal(await client.blob(blob('return 2\n'), signal), undefined);
  await using elsewhere = await Repository.create('', false);
  assert.deepEqual(await createGitClient(elsewhere.project, log).storedBlobs(ids, signal), new Set());
});

test('ignores everything in an ignored folder', async () => {
  await using repository = await Repository.create();
  await repository.commit({ '.gitignore': 'Packages/\n*.log' });
  await repository.write({ 'Packages/deep/a.luau': '', 'x.log': '', 'b.luau': '' });
  const status = await repository.status();
  assert.ok(status);
  const isIgnored = (path: string): boolean => status.ignored.has(path as ProjectPath);
  assert.deepEqual(['Packages/deep/a.luau', 'Packages', 'x.log', 'b.luau', 'Packages2/a.luau'].map(isIgnored), [
    true,
    true,
    true,
    false,
    false,
  ]);
  assert.deepEqual(Array.from(status.untracked), ['b.luau']);
});

test('reads the status of submodules, but not of nested repositories', async () => {
  await using library = await Repository.create();
  await library.commit({ 'lib.luau': 'one', 'same.luau': 'same' });
  await using repository = await Repository.create();
  await repository.commit({ 'a.luau': 'one' });
  await repository.git('submodule', 'add', '-q', library.root, 'vendor/lib');
  await repository.git('submodule', 'add', '-q', library.root, 'absent');
  await repository.git('commit', '-q', '-m', 'submodule');
  await repository.git('submodule', 'deinit', '-q', '-f', 'absent');
  await repository.git('clone', '-q', library.root, 'nested');
  await repository.write({ 'vendor/lib/lib.luau': 'two', 'vendor/lib/new.luau': '', 'nested/lib.luau': 'three' });
  const status = await repository.status();
  assert.deepEqual(plain(status), {
    ...nothing,
    changed: ['vendor/lib/lib.luau', 'vendor/lib/new.luau'],
    untracked: ['vendor/lib/new.luau'],
    ignored: ['nested'],
    blobs: { 'vendor/lib/lib.luau': [blob('one')] },
  });
  assert.ok(status?.ignored.has('nested/lib.luau' as ProjectPath));
  const inside = await repository.status(join(repository.root, 'vendor/lib'));
  assert.deepEqual(plain(inside).changed, ['lib.luau', 'new.luau']);
});

test('gives no status when a submodule cannot be read', async () => {
  await using library = await Repository.create();
  await library.commit({ 'lib.luau': 'one' });
  await using repository = await Repository.create();
  await repository.git('submodule', 'add', '-q', library.root, 'lib');
  await repository.git('commit', '-q', '-m', 'submodule');
  await rm(join(repository.root, 'lib'), { recursive: true });
  // Root may read every folder, but not follow a link to itself.
  await symlink('lib', join(repository.root, 'lib'));
  warnings.length = 0;
  assert.equal(await repository.status(), undefined);
  assert.match(warnings.join('\n'), /ELOOP/);
});

/** A program that creates a file, so that a test sees whether git ran it. */
async function tracer(folder: string): Promise<{ readonly program: string; readonly ran: () => boolean }> {
  const [program, trace] = [join(folder, 'tracer.sh'), join(folder, 'ran')];
  await writeFile(program, `#!/bin/sh\ntouch "${trace}"\n`, { mode: 0o755 });
  return { program, ran: () => existsSync(trace) };
}

async function askEverything(repository: Repository): Promise<void> {
  const client = createGitClient(repository.project, log);
  const { signal } = new AbortController();
  await client.status(signal);
  await client.committed('a.luau' as ProjectPath, signal);
  await client.storedBlobs([blob('one'), blob('absent')], signal);
  await client.blob(blob('absent'), signal);
  await client.stage(['a.luau', 'b.txt'] as ProjectPath[], signal);
}

test('runs no program that the repository configures', async () => {
  await using outside = await Repository.create('', false);
  const { program, ran } = await tracer(outside.root);
  await using repository = await Repository.create();
  await repository.commit({ 'a.luau': 'one', '.gitattributes': '*.luau filter=one diff=one merge=one\n' });
  for (const name of [
    'filter.one.clean',
    'filter.one.smudge',
    'filter.one.process',
    'core.sshCommand',
    'core.alternateRefsCommand',
    'credential.helper',
    'diff.external',
    'diff.one.textconv',
    'diff.one.command',
    'merge.one.driver',
    'core.fsmonitor',
    'core.pager',
  ])
    await repository.git('config', name, program);
  await repository.git('config', 'filter.one.required', 'true');
  await repository.write({ 'a.luau': 'two', 'b.txt': 'new' });
  await askEverything(repository);
  assert.equal(ran(), false);
  // Without the filter, the file would be staged in a form that the repository does not expect.
  await repository.git('config', 'core.fsmonitor', 'false');
  assert.equal((await repository.git('diff-index', '--cached', '--name-only', 'HEAD')).trim(), 'b.txt');
});

test('runs no program of a submodule or of a repository inside the repository', async () => {
  await using outside = await Repository.create('', false);
  const { program, ran } = await tracer(outside.root);
  await using library = await Repository.create();
  await library.commit({ 'lib.luau': 'one', '.gitattributes': '*.luau filter=one\n' });
  await using repository = await Repository.create();
  await repository.git('submodule', 'add', '-q', library.root, 'lib');
  await repository.git('clone', '-q', library.root, 'nested');
  for (const folder of ['lib', 'nested'])
    for (const name of ['filter.one.clean', 'core.fsmonitor'])
      await repository.git('-C', folder, 'config', name, program);
  await repository.write({ 'lib/lib.luau': 'two', 'nested/lib.luau': 'two' });
  await askEverything(repository);
  assert.equal(ran(), false);
});

test('fetches nothing from the remote of a partial clone', async () => {
  await using outside = await Repository.create('', false);
  const { program, ran } = await tracer(outside.root);
  await using repository = await Repository.create();
  await repository.commit({ 'a.luau': 'one' });
  for (const [name, value] of [
    ['core.repositoryFormatVersion', '1'],
    ['extensions.partialClone', 'origin'],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.url', `ext::${program}`],
    ['protocol.ext.allow', 'always'],
    ['protocol.allow', 'always'],
  ] as const)
    await repository.git('config', name, value);
  await rm(join(repository.root, '.git/objects', blob('one').slice(0, 2)), { recursive: true });
  await askEverything(repository);
  assert.equal(ran(), false);
});

test('reads the status of a linked work tree', async () => {
  await using repository = await Repository.create();
  await repository.commit({ 'a.luau': 'one' });
  await repository.git('worktree', 'add', '-q', 'tree');
  await repository.write({ 'tree/a.luau': 'two' });
  assert.deepEqual(plain(await repository.status(join(repository.root, 'tree'))), {
    ...nothing,
    changed: ['a.luau'],
    blobs: { 'a.luau': [blob('one')] },
  });
});

test('has no status without a repository, and warns about a broken one', async () => {
  await using folder = await Repository.create('', false);
  warnings.length = 0;
  assert.equal(await folder.status(), undefined);
  assert.deepEqual(warnings, []);
  await folder.write({
    '.git/HEAD': 'ref: refs/heads/main',
    '.git/config': '[core]\n\trepositoryformatversion = 99',
    '.git/objects/x': '',
    '.git/refs/x': '',
  });
  assert.equal(await folder.status(), undefined);
  assert.equal(warnings.length, 1);
});

test('stages more paths than fit into a command line', async () => {
  await using r = await Repository.create();
  const path = `${'folder/'.repeat(30)}a.luau`;
  await r.write({ [path]: 'a' });
  await createGitClient(r.project, log).stage(
    Array.from({ length: 15_000 }, () => path as ProjectPath),
    new AbortController().signal,
  );
  assert.equal(await r.git('ls-files'), `${path}\n`);
});

test('runs no hook when it stages files', async () => {
  await using repository = await Repository.create();
  const { program, ran } = await tracer(repository.root);
  await repository.commit({ 'a.luau': 'one' });
  const hook = join(repository.root, '.git/hooks/post-index-change');
  await mkdir(dirname(hook), { recursive: true });
  await symlink(program, hook);
  await repository.write({ 'a.luau': 'two', 'b.txt': 'new' });
  await askEverything(repository);
  assert.equal(ran(), false);
  await repository.write({ 'c.txt': 'new' });
  await repository.git('add', '-A');
  assert.equal(ran(), true, 'the hook would run');
});

test('runs neither hooks nor the file monitor, and does not change the index', async () => {
  await using repository = await Repository.create();
  await repository.commit({ 'a.luau': 'one' });
  const monitor = join(repository.root, '.git', 'monitor.sh');
  await writeFile(monitor, `#!/bin/sh\ntouch "${repository.root}/.git/ran"\n`, { mode: 0o755 });
  await repository.git('config', 'core.fsmonitor', monitor);
  await repository.write({ 'a.luau': 'one' });
  const before = await readdir(join(repository.root, '.git'));
  await repository.status();
  assert.deepEqual(await readdir(join(repository.root, '.git')), before);
});

test('ignores variables that point git to another repository', async () => {
  await using other = await Repository.create();
  await using repository = await Repository.create();
  await repository.commit({ 'a.luau': 'one' });
  await repository.write({ 'a.luau': 'two' });
  process.env['GIT_DIR'] = join(other.root, '.git');
  try {
    assert.deepEqual(plain(await repository.status()).changed, ['a.luau']);
  } finally {
    delete process.env['GIT_DIR'];
  }
});

test('rejects with the reason when aborted', async () => {
  await using repository = await Repository.create();
  const client = createGitClient(repository.project, log);
  await assert.rejects(client.status(AbortSignal.abort(new Error('enough'))), /enough/);
});

test('reads the committed text from HEAD, also in a subfolder, and none before the first commit', async () => {
  await using repository = await Repository.create('game');
  await repository.write({ 'game/src/Main.luau': 'committed\n' });
  await repository.git('add', '.');
  await repository.git('commit', '-q', '-m', 'first');
  await repository.write({ 'game/src/Main.luau': 'later\n', 'game/src/New.luau': 'new\n' });
  const git = createGitClient(repository.project, log);
  const read = async (path: string): Promise<string | undefined> => {
    const bytes = await git.committed(path as ProjectPath, new AbortController().signal);
    return bytes && new TextDecoder().decode(bytes);
  };
  assert.equal(await read('src/Main.luau'), 'committed\n');
  assert.equal(await read('src/New.luau'), undefined);
  await using none = await Repository.create('', false);
  const elsewhere = createGitClient(none.project, log);
  assert.equal(await elsewhere.committed('a' as ProjectPath, new AbortController().signal), undefined);
});

test('recognizes a text that git stores with CR LF also with LF, as Studio has it', async () => {
  await using repository = await Repository.create('project');
  await repository.git('config', 'core.autocrlf', 'false');
  await repository.commit({ 'project/a.luau': 'one\r\ntwo\r\n', 'project/b.luau': 'one\n' });
  await repository.write({ 'project/a.luau': 'three\r\n', 'project/b.luau': 'three\n' });
  const status = await repository.status();
  assert.deepEqual(status?.blobs.get('a.luau' as ProjectPath), [blob('one\r\ntwo\r\n'), blob('one\ntwo\n')]);
  assert.deepEqual(status?.blobs.get('b.luau' as ProjectPath), [blob('one\n')]);
});
