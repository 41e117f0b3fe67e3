import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { test } from 'node:test';
import { inheritedVariables, runGit } from '../../../../src/adapters/git/run-git.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const signal = new AbortController().signal;
const variables = { ...inheritedVariables([]), LC_ALL: 'C' };

test('returns the standard output and passes the settings on', async () => {
  await using folder = await tempFolder();
  const options = { folder: folder.path, variables, config: ['user.name=A = B'], signal };
  assert.equal((await runGit(options, ['config', 'user.name'])).toString(), 'A = B\n');
});

test("rejects with git's exit code and output when git fails", async () => {
  await using folder = await tempFolder();
  const options = { folder: folder.path, variables, config: [], signal };
  await assert.rejects(runGit(options, ['rev-parse', 'HEAD']), {
    name: 'GitError',
    exitCode: 128,
    message: /not a git/,
  });
  await assert.rejects(runGit(options, ['config', 'no.such']), { exitCode: 1, message: 'git ended with 1' });
});

test('rejects when there is no git on the PATH, also if the folder has one', async () => {
  await using folder = await tempFolder({ git: '#!/bin/sh\necho ran\n' });
  await chmod(`${folder.path}/git`, 0o755);
  const options = { folder: folder.path, variables: { PATH: '.' }, config: [], signal };
  await assert.rejects(runGit(options, ['version']), /spawn git ENOENT/);
});

test(
  'runs the git of the system when PATH first names the current folder, which has another one',
  { skip: process.platform === 'win32' && 'Windows runs no shell scripts' },
  async () => {
    await using folder = await tempFolder({ git: '#!/bin/sh\necho the git of the repository\n' });
    await chmod(`${folder.path}/git`, 0o755);
    const options = { folder: folder.path, variables: { PATH: `.:${process.env['PATH'] ?? ''}` }, config: [], signal };
    assert.match((await runGit(options, ['version'])).toString(), /^git version/);
  },
);

test(
  'ends a git that prints nothing for too long',
  { skip: process.platform === 'win32' && 'Windows runs no shell scripts' },
  async () => {
    await using folder = await tempFolder({ git: '#!/bin/sh\nexec sleep 60\n' });
    await chmod(`${folder.path}/git`, 0o755);
    const PATH = `${folder.path}:${process.env['PATH'] ?? ''}`;
    const options = { folder: folder.path, variables: { PATH }, config: [], maxSilenceMs: 50, signal };
    await assert.rejects(runGit(options, ['version']), /printed nothing for 50 ms/);
  },
);
