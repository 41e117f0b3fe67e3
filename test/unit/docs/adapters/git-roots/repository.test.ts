import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { GitError } from '../../../../../src/adapters/git/run-git.ts';
import type { GitTerms } from '../../../../../src/docs/adapters/git-roots/hardened-git.ts';
import { commitOf, FETCHED, makeRepository } from '../../../../../src/docs/adapters/git-roots/repository.ts';
import { tempFolder } from '../../../../harness/temp-folder.ts';

const DAMAGED = 'd'.repeat(40);

async function repository() {
  const folder = await tempFolder();
  const { signal } = new AbortController();
  const terms: GitTerms = { gitDir: join(folder.path, 'repo.git'), protocols: [], signal };
  await makeRepository(terms.gitDir, 40, signal);
  const git = (args: readonly string[], input: string): string =>
    execFileSync('git', ['--git-dir', terms.gitDir, ...args], { input, encoding: 'utf8' }).trim();
  const damaged = join(terms.gitDir, 'objects', DAMAGED.slice(0, 2), DAMAGED.slice(2));
  await mkdir(dirname(damaged));
  await writeFile(damaged, 'damaged');
  return { terms, git, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test('returns no commit for a name that leads to none', async () => {
  await using at = await repository();
  const blob = at.git(['hash-object', '-w', '--stdin'], 'text');
  for (const name of ['0'.repeat(40), FETCHED, 'main', '--all', blob, 'x'.repeat(300)])
    assert.equal(await commitOf(at.terms, name), undefined, name);
  assert.equal(await commitOf({ ...at.terms, gitDir: `${at.terms.gitDir}.none` }, FETCHED), undefined);
  const tree = at.git(['mktree'], '');
  const author = 'a <a@example.test> 0 +0000';
  const text = `tree ${tree}\nauthor ${author}\ncommitter ${author}\n\nx\n`;
  const commit = at.git(['hash-object', '-w', '-t', 'commit', '--stdin'], text);
  assert.equal(await commitOf(at.terms, commit), commit);
});

test('fails when git cannot say whether a commit exists', async t => {
  await using at = await repository();
  await assert.rejects(commitOf(at.terms, DAMAGED), error => error instanceof GitError && error.exitCode === 128);
  const stopped = AbortSignal.abort(new Error('stopped'));
  await assert.rejects(commitOf({ ...at.terms, signal: stopped }, FETCHED), /stopped/);
  const { PATH } = process.env;
  t.after(() => void (process.env['PATH'] = PATH));
  process.env['PATH'] = '/nonexistent';
  await assert.rejects(commitOf(at.terms, FETCHED), /spawn git ENOENT/);
});
