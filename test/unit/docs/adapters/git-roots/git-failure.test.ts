import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gitFailure, scrub } from '../../../../../src/docs/adapters/git-roots/git-failure.ts';
import { isAtLeast } from '../../../../../src/docs/adapters/git-roots/git-version.ts';

const said: readonly (readonly [string, string])[] = [
  ["fatal: unable to access 'https://x.test/': Could not resolve host: x.test", 'OFFLINE'],
  ["fatal: unable to access 'http://x/': Failed to connect to x port 1: Connection refused", 'OFFLINE'],
  ['ssh: connect to host x port 22: Connection refused\nfatal: Could not read from remote repository.', 'OFFLINE'],
  ["fatal: could not read Username for 'https://x.test': terminal prompts disabled", 'AUTH_FAILED'],
  ["remote: Denied.\nfatal: Authentication failed for 'https://x.test/y'", 'AUTH_FAILED'],
  ['git@x: Permission denied (publickey).\nfatal: Could not read from remote repository.', 'AUTH_FAILED'],
  ['Host key verification failed.\nfatal: Could not read from remote repository.', 'HOST_KEY_UNKNOWN'],
  [
    "fatal: '/x' does not appear to be a git repository\nfatal: Could not read from remote repository.",
    'REMOTE_NOT_FOUND',
  ],
  ["fatal: repository 'https://x.test/y/' not found", 'REMOTE_NOT_FOUND'],
  ["fatal: couldn't find remote ref refs/heads/gone", 'REF_NOT_FOUND'],
  ["fatal: Unable to create '/c/shallow.lock': File exists.", 'CACHE_CORRUPT'],
  ['error: inflate: data stream error (incorrect header check)', 'CACHE_CORRUPT'],
  ['Error: spawn git ENOENT', 'GIT_NOT_FOUND'],
  ['fatal: an unknown failure', 'GIT_FAILED'],
];

test('FR-014 maps each message of git to one code', () => {
  for (const [text, code] of said)
    assert.equal(gitFailure(new Error(text), { root: 'r', ref: 'main' }, undefined).code, code, text);
});

test('removes users, passwords and the cache path from messages of git', () => {
  assert.equal(
    scrub("at 'https://me:word@x.test/y' in /c/roots/r-a", '/c/roots'),
    "at 'https://x.test/y' in <cache>/r-a",
  );
  const failure = gitFailure(new Error('fatal: odd https://me:word@x.test'), { root: 'r', ref: 'main' }, undefined);
  assert.ok(!failure.message.includes('word'), failure.message);
});

test('removes tokens in the query and fragment of a URL', () => {
  const text =
    "fatal: unable to access 'https://me@x.test/y.git?token=secret&a=b#secret': is https://x.test/z gone? yes";
  const scrubbed = "fatal: unable to access 'https://x.test/y.git': is https://x.test/z gone? yes";
  assert.equal(scrub(text, undefined), scrubbed);
});

test('compares git versions numerically', () => {
  assert.deepEqual(
    ['2.31.9', '2.32', '2.100.1', '3.0', '1.99'].map(version => isAtLeast(version, '2.32')),
    [false, true, true, true, false],
  );
});
