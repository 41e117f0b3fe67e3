import assert from 'node:assert/strict';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createGitClient } from '../../../../src/adapters/git/git-client.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

test(
  'gives git no protocol, no lazy fetch, no other variables and no question on the terminal',
  { skip: process.platform === 'win32' && 'Windows runs no shell scripts' },
  async () => {
    await using folder = await tempFolder({
      'bin/git': '#!/bin/sh\n{ env; for one; do echo "arg $one"; done; } > "$(dirname "$0")/seen"\n',
    });
    await chmod(join(folder.path, 'bin/git'), 0o755);
    const { PATH } = process.env;
    Object.assign(process.env, { PATH: `${folder.path}/bin:${PATH}`, GIT_SSH_COMMAND: 'other' });
    try {
      await createGitClient(folder.path, memoryLog()).status(new AbortController().signal);
    } finally {
      Object.assign(process.env, { PATH });
      delete process.env['GIT_SSH_COMMAND'];
    }
    const seen = (await readFile(join(folder.path, 'bin/seen'), 'utf8')).split('\n');
    // One of these protects where the others are unknown: it depends on the version of git.
    for (const line of [
      'GIT_NO_LAZY_FETCH=1',
      'GIT_ALLOW_PROTOCOL=',
      'GIT_TERMINAL_PROMPT=0',
      'arg protocol.allow=never',
    ])
      assert.ok(seen.includes(line), line);
    const variables = seen.filter(line => line.startsWith('GIT_')).map(line => line.replace(/=.*/, ''));
    assert.deepEqual(variables.toSorted(), ['GIT_ALLOW_PROTOCOL', 'GIT_NO_LAZY_FETCH', 'GIT_TERMINAL_PROMPT']);
  },
);
