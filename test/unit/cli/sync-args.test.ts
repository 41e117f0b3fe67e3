import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headlessCommand } from '../../../src/cli/headless/headless-args.ts';
import { readMcpArgs } from '../../../src/cli/mcp/mcp-args.ts';
import { syncCommand } from '../../../src/cli/sync-args.ts';

const read = (line: string) => {
  const answer = syncCommand.read(line.split(' '));
  return answer.ok ? answer.value : answer.error;
};

test('is a dry run by default', () => {
  assert.deepEqual(read('game --place p.rbxl'), {
    project: 'game',
    place: 'p.rbxl',
    placeId: undefined,
    mode: 'dryrun',
    save: undefined,
    settings: new Map(),
    dialect: undefined,
    json: false,
  });
  assert.deepEqual(read('--place p.rbxl --place-id 42 game --mode fastfail --save q.rbxlx --json --dialect rojo'), {
    project: 'game',
    place: 'p.rbxl',
    placeId: 42,
    mode: 'fastfail',
    save: 'q.rbxlx',
    settings: new Map(),
    dialect: 'rojo',
    json: true,
  });
  assert.equal(read('--help'), 'help');
});

test('reads the options of other commands that mean the same', () => {
  assert.deepEqual(read('game --place p.rbxl --dry-run'), read('game --place p.rbxl --mode dryrun'));
  const headless = headlessCommand.read(['--place', 'p.rbxl', '--port', '5']);
  assert.equal(headless.ok && headless.value !== 'help' && headless.value.port, 5);
});

test('reads the dialect of mcp where it has a bridge, and refuses it where no project is read', () => {
  const mcp = (line: string) => {
    const answer = readMcpArgs(line.split(' '));
    return !answer.ok ? answer.error : answer.value.kind === 'relay' ? answer.value.dialect : answer.value.kind;
  };
  assert.equal(mcp('--project game'), undefined);
  for (const line of ['', ' --toolset docs', ' --stdio --toolset tests', ' --stdio --toolset sync'])
    assert.equal(mcp(`--project game --dialect atlas${line}`), 'atlas', line);
  assert.equal(mcp('--dialect luau'), "unknown dialect 'luau' (rojo or atlas)");
  for (const toolset of ['docs', 'pluto'])
    assert.equal(mcp(`--stdio --toolset ${toolset} --dialect rojo`), '--dialect requires a bridge: omit --stdio');
  for (const args of [['--dialect', 'rojo'], ['--dialect=rojo']]) {
    const headless = headlessCommand.read(['--place', 'p.rbxl', ...args]);
    assert.match(
      headless.ok ? '' : headless.error,
      /^unsupported option '--dialect': headless Studio reads a place and no project/,
    );
  }
});

test('explains each invalid argument', () => {
  const rows: readonly (readonly [line: string, error: RegExp])[] = [
    ['game', /^sync requires --place <file> or --review$/],
    ['game --review --mode dryrun', /^--mode and --review exclude each other$/],
    ['game --review --place p.rbxl', /^--review with --place requires --save <file>$/],
    ['game --review --save p.rbxl', /^--save requires --place <file>$/],
    ['game --place p.rbxl --set live=x', /^invalid value 'x' of live/],
    ['game --place p.rbxl --mode manual', /^unknown mode 'manual': the command line supports dryrun and fastfail$/],
    ['game --place p.rbxl --save q.rbxl', /^--save requires --mode fastfail/],
    ['game --place p.rbxl --mode fastfail --save q.rbxm', /^invalid place file/],
    ['game --place p.rbxl --place-id Main', /^invalid place id 'Main'/],
    ['game --place p.rbxl --place-id 0', /^invalid place id '0'/],
    ['game --place p.rbxl --dance', /dance/],
  ];
  for (const [line, error] of rows) {
    const answer = syncCommand.read(line.split(' '));
    assert.match(answer.ok ? 'understood' : answer.error, error, line);
  }
});
