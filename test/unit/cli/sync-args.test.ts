import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncCommand } from '../../../src/cli/sync-args.ts';

const read = (line: string) => {
  const answer = syncCommand.read(line.split(' '));
  return answer.ok ? answer.value : answer.error;
};

test('a drift check changes nothing unless it is told where the place goes', () => {
  assert.deepEqual(read('game --place p.rbxl'), {
    project: 'game',
    place: 'p.rbxl',
    placeId: undefined,
    mode: 'dryrun',
    save: undefined,
    dialect: undefined,
    json: false,
  });
  assert.deepEqual(read('--place p.rbxl --place-id 42 game --mode fastfail --save q.rbxlx --json --dialect rojo'), {
    project: 'game',
    place: 'p.rbxl',
    placeId: 42,
    mode: 'fastfail',
    save: 'q.rbxlx',
    dialect: 'rojo',
    json: true,
  });
  assert.equal(read('--help'), 'help');
});

test('what cannot be asked is said in words', () => {
  const rows: readonly (readonly [line: string, error: RegExp])[] = [
    ['game', /--place is missing/],
    ['game --place p.rbxl --mode manual', /no mode manual/],
    ['game --place p.rbxl --save q.rbxl', /--save does not go with dryrun/],
    ['game --place p.rbxl --mode fastfail --save q.rbxm', /cannot be written/],
    ['game --place p.rbxl --place-id Main', /Main is no place id/],
    ['game --place p.rbxl --place-id 0', /0 is no place id/],
    ['game --place p.rbxl --dance', /dance/],
  ];
  for (const [line, error] of rows) {
    const answer = syncCommand.read(line.split(' '));
    assert.match(answer.ok ? 'understood' : answer.error, error, line);
  }
});
