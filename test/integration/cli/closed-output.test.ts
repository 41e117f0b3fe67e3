import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { platform } from 'node:process';
import { test } from 'node:test';
import { cliEntry } from '../../harness/cli-entry.ts';

/** Runs `man` in a shell that continues the command line, and returns the shell's standard error. */
const stderrOf = (rest: string): string =>
  spawnSync('sh', ['-c', `{ "$0" "$1" man; echo "status $?" >&2; } ${rest}`, process.execPath, cliEntry], {
    encoding: 'utf8',
  }).stderr;

test(
  'finishes with its own status when the reader closes the output',
  { skip: platform === 'win32' && 'requires a POSIX shell' },
  () => assert.equal(stderrOf('| true'), 'status 0\n'),
);

test(
  'fails with the reason when the output cannot be written',
  { skip: !existsSync('/dev/full') && 'requires /dev/full' },
  () =>
    assert.equal(stderrOf('> /dev/full'), 'error: standard output could not be written: the disk is full\nstatus 1\n'),
);
