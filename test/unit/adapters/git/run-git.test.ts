import assert from 'node:assert/strict';
import { chmod, readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { createGitClient } from '../../../../src/adapters/git/git-client.ts';
import { inheritedVariables, type RunGit, runGit } from '../../../../src/adapters/git/run-git.ts';
import { createThreadGit } from '../../../../src/adapters/git/thread-git.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { countStartedProcesses } from '../../../harness/started-processes.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';
import { until } from '../../../harness/until.ts';

const signal = new AbortController().signal;
const variables = { ...inheritedVariables([]), LC_ALL: 'C' };

const runners: Readonly<Record<string, RunGit>> = { 'in this thread': runGit, 'in a thread': createThreadGit() };
for (const [name, run] of Object.entries(runners)) {
  test(`${name}: returns the standard output and passes the settings on`, async () => {
    await using folder = await tempFolder();
    const options = { folder: folder.path, variables, config: ['user.name=A = B'], signal };
    assert.equal((await run(options, ['config', 'user.name'])).toString(), 'A = B\n');
  });

  test(`${name}: rejects with git's exit code and output when git fails`, async () => {
    await using folder = await tempFolder();
    const options = { folder: folder.path, variables, config: [], signal };
    await assert.rejects(run(options, ['rev-parse', 'HEAD']), {
      name: 'GitError',
      exitCode: 128,
      message: /not a git/,
    });
    await assert.rejects(run(options, ['config', 'no.such']), { exitCode: 1, message: 'git ended with 1' });
  });

  test(`${name}: rejects when there is no git on the PATH, also if the folder has one`, async () => {
    await using folder = await tempFolder({ git: '#!/bin/sh\necho ran\n' });
    await chmod(`${folder.path}/git`, 0o755);
    const options = { folder: folder.path, variables: { PATH: '.' }, config: [], signal };
    await assert.rejects(run(options, ['version']), /spawn git ENOENT/);
  });

  test(
    `${name}: runs the git of the system when PATH first names the current folder, which has another one`,
    { skip: process.platform === 'win32' && 'Windows runs no shell scripts' },
    async () => {
      await using folder = await tempFolder({ git: '#!/bin/sh\necho the git of the repository\n' });
      await chmod(`${folder.path}/git`, 0o755);
      const options = {
        folder: folder.path,
        variables: { PATH: `.:${process.env['PATH'] ?? ''}` },
        config: [],
        signal,
      };
      assert.match((await run(options, ['version'])).toString(), /^git version/);
    },
  );

  test(
    `${name}: ends a git that prints nothing for too long`,
    { skip: process.platform === 'win32' && 'Windows runs no shell scripts' },
    async () => {
      await using folder = await tempFolder({ git: '#!/bin/sh\nexec sleep 60\n' });
      await chmod(`${folder.path}/git`, 0o755);
      const PATH = `${folder.path}:${process.env['PATH'] ?? ''}`;
      const options = { folder: folder.path, variables: { PATH }, config: [], maxSilenceMs: 50, signal };
      await assert.rejects(run(options, ['version']), /printed nothing for 50 ms/);
    },
  );

  test(`${name}: passes the input on, and returns the output of several commands`, async () => {
    await using folder = await tempFolder();
    const options = { folder: folder.path, variables, config: [], signal };
    const hash = async (input: string): Promise<string> =>
      (await run({ ...options, input }, ['hash-object', '--stdin'])).toString().trim();
    assert.deepEqual(await Promise.all([hash('one\n'), hash('two\n')]), [
      '5626abf0f72e58d7a153368ba57db4c673c0e171',
      'f719efd430d52bcfc8566a43b2eb655688d38871',
    ]);
  });

  test(
    `${name}: ends git and rejects with the reason when it is cancelled`,
    { skip: process.platform === 'win32' && 'Windows runs no shell scripts' },
    async () => {
      await using folder = await tempFolder({ git: '#!/bin/sh\ntouch started\nexec sleep 60\n' });
      await chmod(`${folder.path}/git`, 0o755);
      const PATH = `${folder.path}:${process.env['PATH'] ?? ''}`;
      const control = new AbortController();
      const options = { folder: folder.path, variables: { PATH }, config: [], signal: control.signal };
      const running = run(options, ['version']);
      await until(async () => (await readdir(folder.path)).includes('started'));
      const reason = new Error('no longer needed');
      control.abort(reason);
      await assert.rejects(running, reason);
    },
  );
}

test('in a thread: starts git without the thread after the thread failed', async () => {
  await using folder = await tempFolder();
  const run = createThreadGit({ worker: new URL('data:text/javascript,throw new Error("broken")') });
  const options = { folder: folder.path, variables, config: [], signal };
  await assert.rejects(run(options, ['version']), /broken/);
  assert.match((await run(options, ['version'])).toString(), /^git version/);
});

test('in a thread: keeps no program running while no command runs', async () => {
  await using folder = await tempFolder();
  const activeThreads = (): number => process.getActiveResourcesInfo().filter(name => name === 'MessagePort').length;
  const before = activeThreads();
  const run = createThreadGit();
  const options = { folder: folder.path, variables, config: [], signal };
  for (let round = 0; round < 2; round += 1) {
    const running = run(options, ['version']);
    assert.equal(activeThreads(), before + 1);
    await running;
    assert.equal(activeThreads(), before);
  }
});

test('in a thread: the status of a repository starts no process in this thread', async () => {
  await using folder = await tempFolder({ 'a.luau': 'return 1' });
  await runGit({ folder: folder.path, variables, config: [], signal }, ['init', '--quiet']);
  using started = countStartedProcesses();
  const client = createGitClient(folder.path, memoryLog(), createThreadGit());
  assert.deepEqual((await client.status(signal))?.untracked, new Set(['a.luau']));
  assert.equal(started.count, 0);
  await createGitClient(folder.path, memoryLog()).status(signal);
  assert.ok(started.count > 1, 'the count works');
});
