import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readArgs } from '../../../src/cli/args.ts';

const command = (line: string) => {
  const read = readArgs(line === '' ? [] : line.split(' '));
  return read.ok ? read.value : read.error;
};

test('what can be asked', () => {
  const serve = { kind: 'serve', folder: 'game', port: 34873, dialect: 'atlas', rojoPort: undefined, json: false };
  assert.deepEqual(command('serve game'), { ...serve, rojoPort: 34872 });
  assert.deepEqual(command('serve --json --port 0 game'), { ...serve, port: 0, json: true });
  assert.deepEqual(command('serve game --port=65535'), { ...serve, port: 65535 });
  assert.deepEqual(command('serve game --dialect atlas'), serve);
  assert.deepEqual(command('serve game --dialect rojo'), { ...serve, dialect: 'rojo', port: 34872 });
  assert.deepEqual(command('serve game --dialect rojo --port 5'), { ...serve, dialect: 'rojo', port: 5 });
  assert.deepEqual(command('serve -- --odd'), { ...serve, folder: '--odd', rojoPort: 34872 });
  for (const help of ['--help', '-h', 'help', 'serve --help', 'serve game -h'])
    assert.deepEqual(command(help), { kind: 'help' }, help);
  assert.deepEqual(command('help build'), { kind: 'build', args: ['--help'] });
  for (const version of ['--version', '-v']) assert.deepEqual(command(version), { kind: 'version' });
});

test('headless has arguments of its own, which are left alone', () => {
  assert.deepEqual(command('headless --place x --help'), { kind: 'headless', args: ['--place', 'x', '--help'] });
});

test('what Node says of options is one sentence that goes on behind the name of the program', () => {
  assert.equal(command('serve a --dance'), "unknown option '--dance'");
  assert.equal(command('serve a --port'), "option '--port <value>' lacks its value");
  assert.equal(command('serve a --port --json'), "Option '--port' argument is ambiguous");
  assert.equal(command('help dance'), 'there is no command dance');
});

test('what cannot be asked is said in words', () => {
  const rows: readonly (readonly [line: string, error: RegExp])[] = [
    ['', /command is missing/],
    ['dance', /no command dance/],
    ['--dance', /no option --dance/],
    ['serve', /needs the project folder/],
    ['serve a b', /b is one too many/],
    ['serve a --port', /--port/],
    ['serve a --port x', /x is no port/],
    ['serve a --port 65536', /65536 is no port/],
    ['serve a --port=-1', /-1 is no port/],
    ['serve a --dance', /--dance/],
    ['serve a --dialect luau', /luau is no dialect/],
  ];
  for (const [line, error] of rows) {
    const answer = command(line);
    assert.ok(typeof answer === 'string', line);
    assert.match(answer, error, line);
  }
});
