import assert from 'node:assert/strict';
import { chmod, mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { findOnPath } from '../../../../src/adapters/node/find-on-path.ts';
import { runQuietly } from '../../../../src/adapters/node/run-quietly.ts';
import { findPageOpener } from '../../../../src/cli/doc.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const script = '#!/bin/sh\necho planted\n';

test(
  'finds programs only in absolute folders when the current folder has the same names',
  { skip: process.platform === 'win32' && 'Windows runs no shell scripts' },
  async () => {
    await using project = await tempFolder({ git: script, 'git.exe': script, 'explorer.exe': script });
    await using tools = await tempFolder({ git: script, 'git.exe': script });
    for (const folder of [project, tools])
      for (const name of ['git', 'git.exe']) await chmod(join(folder.path, name), 0o755);
    await chmod(join(project.path, 'explorer.exe'), 0o755);
    const before = process.cwd();
    using _ = { [Symbol.dispose]: () => process.chdir(before) };
    process.chdir(project.path);
    for (const planted of ['.', '', './', 'bin', '..'])
      for (const [platform, name] of [
        ['linux', 'git'],
        ['win32', 'git.exe'],
      ] as const) {
        const path = [planted, tools.path].join(delimiter);
        assert.equal(await findOnPath('git', path, platform), join(tools.path, name));
        assert.equal(await findOnPath('git', planted, platform), undefined);
      }
    assert.equal(await runQuietly('./explorer.exe', [], project.path), undefined);
    assert.equal(await runQuietly('git', ['--version'], project.path), undefined);
  },
);

test(
  'skips a folder that has the name of the program',
  { skip: process.platform === 'win32' && 'Windows runs no shell scripts' },
  async () => {
    await using sources = await tempFolder();
    await using tools = await tempFolder({ git: script });
    await mkdir(join(sources.path, 'git'));
    await chmod(join(tools.path, 'git'), 0o755);
    const path = [sources.path, tools.path].join(delimiter);
    assert.equal(await findOnPath('git', path), join(tools.path, 'git'));
    assert.equal(await findOnPath('git', sources.path), undefined);
  },
);

test('opens pages with programs of the system only', async () => {
  const env = { SystemRoot: String.raw`D:\Windows`, PATH: '.' };
  assert.deepEqual(
    await Promise.all((['win32', 'darwin', 'linux'] as const).map(platform => findPageOpener(platform, env))),
    [String.raw`D:\Windows\explorer.exe`, '/usr/bin/open', undefined],
  );
});
