import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { shellWord } from '../../../src/cli/shell-word.ts';

test('quotes a path only where a shell would read it in another way', () => {
  assert.equal(shellWord('games/obby-2.rbxl'), 'games/obby-2.rbxl');
  assert.equal(shellWord(String.raw`C:\games\obby`), String.raw`C:\games\obby`);
  assert.equal(shellWord('my game'), '"my game"');
  assert.equal(shellWord('-rf'), './-rf');
});

test('lets a shell run no code in a name', { skip: process.platform === 'win32' && 'needs a POSIX shell' }, () => {
  for (const name of [
    '$(echo run)',
    '`echo run`',
    'a"; echo run; "b',
    "it's $HOME",
    '#1 game',
    "a'b c",
    'a!b',
    'a;b&c|d',
  ])
    assert.equal(execFileSync('sh', ['-c', `printf %s ${shellWord(name)}`], { encoding: 'utf8' }), name);
});
