import assert from 'node:assert/strict';
import { chmod, readFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { hardenedGit } from '../../../../../src/docs/adapters/git-roots/hardened-git.ts';
import { tempFolder } from '../../../../harness/temp-folder.ts';

test(
  'starts git without programs, links, other repositories, the settings of the user and more protocols',
  { skip: process.platform === 'win32' && 'Windows runs no shell scripts' },
  async () => {
    await using folder = await tempFolder({
      'bin/git': '#!/bin/sh\n{ env; for one; do echo "arg $one"; done; } > "$HOME/seen"\n',
    });
    await chmod(join(folder.path, 'bin/git'), 0o755);
    const { PATH, HOME } = process.env;
    const hostile = {
      GIT_EXEC_PATH: '/evil',
      GIT_SSH_COMMAND: 'evil',
      GIT_CONFIG_PARAMETERS: "'core.fsmonitor'='evil'",
    };
    Object.assign(process.env, { PATH: `${folder.path}/bin:${PATH}`, HOME: folder.path, ...hostile });
    try {
      const { signal } = new AbortController();
      await hardenedGit({ gitDir: '/repository', protocols: ['https', 'ssh'], signal }, ['fetch', '--', 'url']);
    } finally {
      Object.assign(process.env, { PATH, HOME });
      for (const name of Object.keys(hostile)) delete process.env[name];
    }
    const seen = (await readFile(join(folder.path, 'seen'), 'utf8')).split('\n');
    assert.deepEqual(seen.filter(line => /^GIT_(?!SSL_)/.test(line)).toSorted(), [
      'GIT_ALLOW_PROTOCOL=https:ssh',
      `GIT_CEILING_DIRECTORIES=/:${tmpdir()}`,
      `GIT_CONFIG_GLOBAL=${devNull}`,
      'GIT_CONFIG_NOSYSTEM=1',
      `GIT_CONFIG_SYSTEM=${devNull}`,
      'GIT_DIR=/repository',
      'GIT_LFS_SKIP_SMUDGE=1',
      'GIT_NO_LAZY_FETCH=1',
      'GIT_OPTIONAL_LOCKS=0',
      'GIT_SSH_COMMAND=ssh -oBatchMode=yes',
      'GIT_TERMINAL_PROMPT=0',
    ]);
    const settings = seen.filter(line => /^arg [a-zA-Z]+\./.test(line)).map(line => line.slice('arg '.length));
    for (const setting of [
      'core.fsmonitor=false',
      `core.hooksPath=${devNull}`,
      `core.attributesFile=${devNull}`,
      `core.excludesFile=${devNull}`,
      'core.symlinks=false',
      'core.protectHFS=true',
      'core.protectNTFS=true',
      'submodule.recurse=false',
      'fetch.recurseSubmodules=false',
      'gc.auto=0',
      'maintenance.auto=false',
    ])
      assert.ok(settings.includes(setting), setting);
  },
);
