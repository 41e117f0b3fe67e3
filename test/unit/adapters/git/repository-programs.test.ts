import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRepositoryPrograms } from '../../../../src/adapters/git/repository-programs.ts';

/** Finds the programs in settings, each with the scope that git names. */
const find = (...settings: readonly (readonly [scope: string, name: string, value: string])[]) =>
  findRepositoryPrograms(async () =>
    Buffer.from(settings.map(([scope, name, value]) => `${scope}\0${name}\n${value}\0`).join('')),
  );

test('disables the hooks that the configuration of a repository names', async () => {
  // Git 2.54 and newer runs these. It may be older here, so that only the settings show it.
  const { overrides } = await find(
    ['local', 'hook.Evil.event', 'post-index-change'],
    ['local', 'hook.Evil.command', 'touch ran'],
    ['worktree', 'hook.a.b.command', 'touch ran'],
    ['local', 'hook.a.b.enabled', 'true'],
  );
  assert.deepEqual(overrides, ['hook.Evil.enabled=false', 'hook.a.b.enabled=false']);
});

test('overrides every setting of a repository that names a program or allows a transport', async () => {
  const names = [
    'filter.x.clean',
    'filter.x.smudge',
    'filter.x.process',
    'core.sshcommand',
    'core.gitproxy',
    'core.askpass',
    'core.editor',
    'core.pager',
    'core.alternaterefscommand',
    'core.attributesfile',
    'core.worktree',
    'credential.helper',
    'credential.https://host.test.helper',
    'diff.external',
    'diff.x.command',
    'diff.x.textconv',
    'merge.x.driver',
    'gpg.program',
    'gpg.ssh.program',
    'remote.x.uploadpack',
    'remote.x.receivepack',
    'remote.x.vcs',
    'remote.x.proxy',
    'uploadpack.packobjectshook',
    'protocol.allow',
    'protocol.ext.allow',
  ];
  for (const scope of ['local', 'worktree'])
    assert.deepEqual(
      (await find(...names.map(name => [scope, name, 'evil'] as const))).overrides,
      names.map(name => `${name}=`),
    );
  assert.deepEqual((await find(...names.map(name => ['global', name, 'mine'] as const))).overrides, []);
});

test('keeps the programs of the user, also where the repository names others', async () => {
  const { overrides, filters } = await find(
    ['global', 'filter.lfs.clean', 'git-lfs clean'],
    ['local', 'filter.lfs.clean', 'touch ran'],
    ['local', 'filter.other.smudge', 'touch ran'],
    ['local', 'filter.other.required', 'true'],
    ['global', 'hook.mine.command', 'make'],
    ['local', 'core.autocrlf', 'false'],
  );
  assert.deepEqual(overrides, [
    'filter.lfs.clean=git-lfs clean',
    'filter.other.smudge=',
    'filter.other.required=false',
  ]);
  assert.deepEqual(Array.from(filters), ['lfs', 'other']);
});

test('refuses a setting of the repository that no override can name', async () => {
  for (const name of ['filter.a=b.clean', 'hook.a=b.command'])
    await assert.rejects(find(['local', name, 'x']), /is not allowed/, name);
});
