import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isColored, readArgs, readGlobalArgs } from '../../../src/cli/args.ts';
import { createCliOutput } from '../../../src/cli/io.ts';
import { commandLog, unreadLogFilter, withVerbosity } from '../../../src/cli/log-level.ts';
import { serveCommand } from '../../../src/cli/serve-args.ts';

const command = (line: string) => {
  const read = readArgs(line === '' ? [] : line.split(' '));
  return read.ok ? read.value : read.error;
};

const serving = (line: string) => {
  const read = serveCommand.read(line.split(' ').slice(1));
  return read.ok ? read.value : read.error;
};

test('reads every command', () => {
  const settings = new Map();
  const chosen = { plugin: 'atlas', isOldSpelling: false, dialect: undefined, newToken: false };
  const ports = { port: undefined, ...chosen, hasRojoPort: false };
  const serve = { project: 'game', ...ports, settings, json: false };
  assert.deepEqual(serving('serve game'), { ...serve, hasRojoPort: true });
  assert.deepEqual(serving('serve'), { ...serve, project: '.', hasRojoPort: true });
  assert.deepEqual(serving('serve --json --port 0 game'), { ...serve, port: 0, json: true });
  assert.deepEqual(serving('serve game --port=65535'), { ...serve, port: 65535 });
  assert.deepEqual(serving('serve game --plugin atlas'), serve);
  assert.deepEqual(serving('serve game --plugin rojo'), { ...serve, plugin: 'rojo' });
  assert.deepEqual(serving('serve game --plugin rojo --port 5'), { ...serve, plugin: 'rojo', port: 5 });
  assert.deepEqual(serving('serve game --plugin atlas --dialect rojo'), { ...serve, dialect: 'rojo' });
  const old = { ...serve, plugin: 'rojo', dialect: 'rojo', isOldSpelling: true };
  assert.deepEqual(serving('serve game --dialect rojo'), old);
  assert.deepEqual(serving('serve -- --odd'), { ...serve, project: '--odd', hasRojoPort: true });
  const set = new Map<string, unknown>([['port', 0]]);
  assert.deepEqual(serving('serve game --set port=0'), { ...serve, hasRojoPort: true, settings: set });
  for (const help of ['--help', '-h', 'help']) assert.deepEqual(command(help), { kind: 'help' }, help);
  for (const help of ['serve --help', 'serve game -h']) assert.equal(serving(help), 'help', help);
  assert.deepEqual(command('help build'), { kind: 'help', command: 'build' });
  for (const version of ['--version', '-V']) assert.deepEqual(command(version), { kind: 'version' });
});

test('passes the arguments of a command on without reading them', () => {
  const args = ['--place', 'x', '--help'];
  assert.deepEqual(command('headless --place x --help'), { kind: 'command', command: 'headless', args });
});

test('takes the global options out of a command line, up to --', () => {
  const read = readGlobalArgs('-v build --color never -vv x --verbose -- -v --color'.split(' '));
  assert.deepEqual(read.ok && read.value, {
    globals: { verbosity: 4, color: 'never' },
    rest: ['build', 'x', '--', '-v', '--color'],
  });
  const wrong = readGlobalArgs(['build', '--color', 'pink']);
  assert.equal(!wrong.ok && wrong.error, "invalid color 'pink' (auto, always, never)");
});

test('colors messages on a terminal unless the user does not want it', () => {
  assert.equal(isColored(['build'], {}, true), true);
  assert.equal(isColored(['build'], {}, false), false);
  assert.equal(isColored(['build'], { NO_COLOR: '1' }, true), false);
  assert.equal(isColored(['build', '--color', 'always'], { NO_COLOR: '1' }, false), true);
  assert.equal(isColored(['build', '--color=never'], {}, true), false);
  const written: string[] = [];
  const write = (text: string): void => void written.push(text);
  const { err } = createCliOutput(write, write, () => true);
  err('error: \u001B[2Jno\nhint: no');
  err('hint: yes');
  assert.deepEqual(written, [
    '\u001B[1;31merror:\u001B[0m \\u001b[2Jno\\u000ahint: no\n',
    '\u001B[1;36mhint:\u001B[0m yes\n',
  ]);
});

test('reads the level of the log for all of the program or one part', () => {
  const lines = (filter: string, verbosity = 0): readonly string[] => {
    const err: string[] = [];
    const stop = new AbortController().signal;
    const env = { ATLAS_BRIDGE_LOG: withVerbosity(filter, verbosity) };
    const log = commandLog(
      { out: () => {}, err: line => void err.push(line), cwd: '/', env, stop, version: '1' },
      'warn',
    );
    log.info('a');
    log.warn('b');
    log.child('watcher').debug('c');
    return err.map(line => line.slice(-1));
  };
  assert.deepEqual(lines(''), ['b']);
  assert.deepEqual(lines('info'), ['a', 'b']);
  assert.deepEqual(lines('trace'), ['a', 'b', 'c']);
  assert.deepEqual(lines('off'), []);
  assert.deepEqual(lines('error,watcher=debug'), ['c']);
  assert.deepEqual(lines('', 1), ['a', 'b']);
  assert.deepEqual(lines('error', 2), ['a', 'b', 'c']);
  assert.deepEqual(lines('debug', 1), ['a', 'b', 'c'], 'the more verbose of both');
});

test('names what ATLAS_BRIDGE_LOG has without effect', () => {
  for (const filter of [undefined, '', 'INFO', 'trace, watcher=debug', 'off,'])
    assert.equal(unreadLogFilter(filter), undefined, filter);
  for (const [filter, unread] of [
    ['nonsense', 'nonsense'],
    ['warn,watcher=loud', 'watcher=loud'],
    ['=debug', '=debug'],
    ['constructor', 'constructor'],
    ['watcher,info,x=', 'watcher,x='],
  ] as const)
    assert.match(
      unreadLogFilter(filter) ?? '',
      new RegExp(`^warning: ignored '${unread}' in ATLAS_BRIDGE_LOG \\(trace,`),
    );
});

test('answers an option before the command with the command that reads it, or with what to use', () => {
  assert.equal(command('--output x build'), "write '--output' after 'build'");
  assert.equal(command('--output=x build'), "write '--output' after 'build'");
  assert.equal(command('-q build'), "unsupported option '-q': set ATLAS_BRIDGE_LOG=off");
  assert.equal(command('--dance build'), "unknown option '--dance'");
  assert.equal(command('--verison'), "unknown option '--verison' (did you mean '--version'?)");
});

test('shortens the errors of Node to one phrase', () => {
  assert.equal(serving('serve a --dance'), "unknown option '--dance'");
  assert.equal(serving('serve a --port'), "option '--port' requires a value");
  assert.equal(serving('serve a --port --json'), "option '--port' requires a value");
  assert.equal(command('help dance'), "unknown command 'dance'");
});

test('explains each invalid argument', () => {
  const rows: readonly (readonly [line: string, error: RegExp])[] = [
    ['', /^a command is required$/],
    ['dance', /^unknown command 'dance'$/],
    ['--dance', /^unknown option '--dance'$/],
    [
      'serve a b',
      /^unexpected argument 'b': run one 'atlas-bridge serve' for each project; each takes the next free port$/,
    ],
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
    const answer = line.startsWith('serve') ? serving(line) : command(line);
    assert.ok(typeof answer === 'string', line);
    assert.match(answer, error, line);
  }
});
