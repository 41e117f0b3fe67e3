import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readArgs } from '../../../src/cli/args.ts';

const command = (line: string) => {
  const read = readArgs(line === '' ? [] : line.split(' '));
  return read.ok ? read.value : read.error;
};

test('reads every command', () => {
  const settings = new Map();
  const chosen = { plugin: 'atlas', isOldSpelling: false, dialect: undefined };
  const ports = { port: undefined, ...chosen, hasRojoPort: false };
  const serve = { kind: 'serve', folder: 'game', ...ports, settings, json: false };
  assert.deepEqual(command('serve game'), { ...serve, hasRojoPort: true });
  assert.deepEqual(command('serve --json --port 0 game'), { ...serve, port: 0, json: true });
  assert.deepEqual(command('serve game --port=65535'), { ...serve, port: 65535 });
  assert.deepEqual(command('serve game --plugin atlas'), serve);
  assert.deepEqual(command('serve game --plugin rojo'), { ...serve, plugin: 'rojo', port: 34872 });
  assert.deepEqual(command('serve game --plugin rojo --port 5'), { ...serve, plugin: 'rojo', port: 5 });
  assert.deepEqual(command('serve game --plugin atlas --dialect rojo'), { ...serve, dialect: 'rojo' });
  const old = { ...serve, plugin: 'rojo', dialect: 'rojo', isOldSpelling: true, port: 34872 };
  assert.deepEqual(command('serve game --dialect rojo'), old);
  assert.deepEqual(command('serve -- --odd'), { ...serve, folder: '--odd', hasRojoPort: true });
  const set = new Map<string, unknown>([['port', 0]]);
  assert.deepEqual(command('serve game --set port=0'), { ...serve, hasRojoPort: true, settings: set });
  for (const help of ['--help', '-h', 'help']) assert.deepEqual(command(help), { kind: 'help' }, help);
  for (const help of ['serve --help', 'serve game -h'])
    assert.deepEqual(command(help), { kind: 'help', command: 'serve' }, help);
  assert.deepEqual(command('help build'), { kind: 'build', args: ['--help'] });
  for (const version of ['--version', '-v']) assert.deepEqual(command(version), { kind: 'version' });
});

test('passes the arguments of headless on without reading them', () => {
  assert.deepEqual(command('headless --place x --help'), { kind: 'headless', args: ['--place', 'x', '--help'] });
});

test('shortens the errors of Node to one phrase', () => {
  assert.equal(command('serve a --dance'), "unknown option '--dance'");
  assert.equal(command('serve a --port'), "option '--port' requires a value");
  assert.equal(command('serve a --port --json'), "option '--port' requires a value");
  assert.equal(command('help dance'), "unknown command 'dance'");
});

test('explains each invalid argument', () => {
  const rows: readonly (readonly [line: string, error: RegExp])[] = [
    ['', /^a command is required$/],
    ['dance', /^unknown command 'dance'$/],
    ['--dance', /^unknown option '--dance'$/],
    ['serve', /^serve requires a project folder$/],
    ['serve a b', /^unexpected argument 'b'$/],
    ['serve a --port', /--port/],
    ['serve a --set x', /^invalid setting 'x'/],
    ['serve a --port x', /^invalid port 'x'/],
    ['serve a --port 65536', /^invalid port '65536'/],
    ['serve a --port=-1', /^invalid port '-1'/],
    ['serve a --dance', /--dance/],
    ['serve a --dialect luau', /^unknown dialect 'luau'/],
    ['serve a --plugin luau', /^unknown plugin 'luau'/],
  ];
  for (const [line, error] of rows) {
    const answer = command(line);
    assert.ok(typeof answer === 'string', line);
    assert.match(answer, error, line);
  }
});
