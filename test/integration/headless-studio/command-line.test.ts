import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type CommandInput, runHeadless } from '../../../src/cli/headless/headless.ts';
import type { CliIo } from '../../../src/cli/io.ts';
import { HeadlessEvent } from '../../../src/protocol/headless.ts';
import { until } from '../../harness/until.ts';

const place = fileURLToPath(new URL('../../../examples/places/baseplate-566.rbxlx', import.meta.url));

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headless-'));
});
after(() => rm(folder, { recursive: true, force: true }));

function startCommand(...args: readonly string[]) {
  return startWith(new PassThrough(), ...args);
}

function startWith<Input extends CommandInput>(input: Input, ...args: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const stop = new AbortController();
  const io: CliIo = {
    out: line => out.push(line),
    err: line => err.push(line),
    cwd: folder,
    env: { XDG_STATE_HOME: join(folder, 'state') },
    stop: stop.signal,
    version: '0',
  };
  const exit = runHeadless(args, io, input);
  // Every line fits its documented schema.
  const events = (): readonly Record<string, unknown>[] => out.map(line => HeadlessEvent.parse(JSON.parse(line)));
  return { out, err, events, input, stop, exit };
}

// Other tools answer a chunk without success and value. Atlas Bridge has no such tool; this command runs chunks.
test('[D16] runs chunks, saves and ends by lines of JSON, and answers success and values', async () => {
  const command = startCommand('--place', place, '--offline', '--json');
  command.input.write('return 1 + 1\n\n');
  command.input.write(`${JSON.stringify({ id: 'a', run: 'print("x")\nworkspace.Name = "W"\nreturn workspace' })}\n`);
  command.input.write(`${JSON.stringify({ id: 'b', run: 'error("no", 0)' })}\n`);
  command.input.write('{"rnu": "x"}\n{broken\n');
  command.input.write(`${JSON.stringify({ id: 3, save: 'made.rbxlx' })}\n`);
  command.input.write('{"exit": true}\n');
  assert.equal(await command.exit, 0);
  const [loaded, sum, log, named, failed, unknown, broken, saved, ...rest] = command.events();
  assert.deepEqual({ ...loaded, instances: 0 }, { event: 'loaded', place: 'baseplate-566.rbxlx', instances: 0 });
  assert.deepEqual(sum, { event: 'result', ok: true, values: [2], texts: ['2'], printed: [] });
  assert.deepEqual(log, { event: 'log', level: 'output', message: 'x' });
  assert.deepEqual(named, { event: 'result', id: 'a', ok: true, values: ['W'], texts: ['W'], printed: ['x'] });
  assert.deepEqual(failed, {
    event: 'result',
    id: 'b',
    ok: false,
    error: { message: 'no', traceback: 'command:1' },
    printed: [],
  });
  assert.equal(unknown?.['event'], 'failed');
  assert.match(broken?.['message'] as string, /^invalid JSON: /);
  assert.deepEqual(saved, { event: 'saved', id: 3, file: join(folder, 'made.rbxlx') });
  assert.deepEqual(rest, []);
  assert.match(await readFile(join(folder, 'made.rbxlx'), 'utf8'), /<string name="Name">W<\/string>/);
});

test('prints what it does without --json, and saves when it is stopped', async () => {
  const command = startCommand('--place', place, '--offline', '--save', 'end.rbxlx');
  command.input.write('print("hello")\nreturn workspace.Baseplate, 5\nlocal\n');
  await until(() => command.out.some(line => line.startsWith('error:')));
  command.stop.abort();
  assert.equal(await command.exit, 0);
  assert.match(command.out[0]!, /^Opened baseplate-566\.rbxlx: \d+ instances$/);
  assert.deepEqual(command.out.slice(1, 4), ['hello', '= Baseplate', '= 5']);
  assert.match(command.out[4]!, /^error: command:1: /);
  assert.equal(command.out.at(-1), `Saved ${join(folder, 'end.rbxlx')}`);
});

test('saves and ends after the last line of its input, typed or piped', async () => {
  for (const isTTY of [true, false]) {
    const command = startWith(Object.assign(new PassThrough(), { isTTY }), '--place', place, '--save', 'input.rbxlx');
    // A last line without a line end is run too.
    command.input.end('workspace.Name = "Piped"\nreturn workspace.Name');
    assert.equal(await command.exit, 0);
    assert.ok(command.out.includes('= Piped'));
    assert.equal(command.out.at(-1), `Saved ${join(folder, 'input.rbxlx')}`);
    assert.match(await readFile(join(folder, 'input.rbxlx'), 'utf8'), />Piped</);
  }
});

test('runs until it is stopped when it has no input', async () => {
  await using nothing = await open(devNull);
  const input = Object.assign(nothing.createReadStream({ autoClose: false }), { fd: nothing.fd });
  const command = startWith(input, '--place', place, '--connect', '1');
  await once(input, 'end');
  // It tries again after a while.
  await until(() => command.out.filter(line => line.startsWith('Connecting to the bridge')).length > 1);
  command.stop.abort();
  assert.equal(await command.exit, 0);
});

test('retries and reports until the bridge is available', async () => {
  const command = startCommand('--place', place, '--connect', '1');
  await until(() => command.out.includes('Disconnected from the bridge'));
  assert.ok(command.out.includes('Connecting to the bridge on port 1'));
  command.stop.abort();
  assert.equal(await command.exit, 0);
});

test('prints the usage and starts nothing for wrong arguments', async () => {
  for (const [args, problem] of [
    [[], /headless requires --place <file>/],
    [['--place', 'x', '--connect', '0'], /invalid port '0'/],
    [['--place', 'x', '--save', 'x.txt'], /invalid file 'x\.txt' \(\.rbxl, \.rbxlx, \.rbxm or \.rbxmx\)/],
    [['--plaice', 'x'], /--plaice/],
  ] as const) {
    const command = startCommand(...args);
    assert.equal(await command.exit, 2);
    const [error, ...rest] = command.err;
    assert.match(error ?? '', problem);
    assert.deepEqual(rest, ["hint: run 'atlas-bridge headless --help' for usage"]);
  }
  const help = startCommand('--help');
  assert.equal(await help.exit, 0);
  assert.match(help.out[0]!, /command bar/);
});

test('fails when the place cannot be saved at the end', async () => {
  const command = startCommand('--place', place, '--offline', '--save', 'x.rbxm');
  command.stop.abort();
  assert.equal(await command.exit, 1);
  assert.match(command.out.at(-1)!, /could not be written: a model file only contains Workspace/);
});

test('ends the running chunk, reports it, saves if possible and fails when it is stopped', async () => {
  const endless = startCommand('--place', place, '--offline', '--json');
  endless.input.write(`${JSON.stringify({ run: 'print("begun") task.wait()' })}\n`);
  endless.input.write(`${JSON.stringify({ id: 7, run: 'while true do end' })}\n{"run": "return 1"}\n`);
  await until(() => endless.events().some(({ event }) => event === 'result'));
  endless.stop.abort();
  assert.equal(await endless.exit, 1);
  const cancelled = { event: 'failed', id: 7, message: 'Cancelled while running a chunk.' };
  assert.deepEqual(endless.events().slice(3), [cancelled]);

  const waiting = startCommand('--place', place, '--offline', '--save', 'waiting.rbxlx');
  waiting.input.write('workspace.Name = "Half" print("begun") task.wait(1000)\n');
  await until(() => waiting.out.includes('begun'));
  waiting.stop.abort();
  assert.equal(await waiting.exit, 1);
  assert.deepEqual(waiting.out.slice(2), [cancelled.message, `Saved ${join(folder, 'waiting.rbxlx')}`]);
  assert.match(await readFile(join(folder, 'waiting.rbxlx'), 'utf8'), />Half</);
});

test('says what was not saved when it is stopped during a chunk that never waits', async context => {
  const endless = startCommand('--place', place, '--offline', '--json', '--save', 'endless.rbxlx');
  endless.input.write(`${JSON.stringify({ run: 'print("begun") task.wait()' })}\n`);
  endless.input.write(`${JSON.stringify({ id: 7, run: 'while true do end' })}\n`);
  await until(() => endless.events().some(({ event }) => event === 'result'));
  context.mock.timers.enable({ apis: ['setTimeout'] });
  endless.stop.abort();
  await until(() => endless.events().some(({ id }) => id === 7));
  context.mock.timers.tick(30_000);
  context.mock.timers.reset();
  assert.equal(await endless.exit, 1);
  const file = join(folder, 'endless.rbxlx');
  assert.deepEqual(endless.events().slice(4), [
    {
      event: 'failed',
      message: `${file} was not saved: a running chunk that never waits has blocked headless Studio for 30 s. No file has the changes to the place since it was last saved.`,
    },
  ]);
});

/** Resolves when the threads of all headless Studios have ended. */
const threadsEnd = () => until(() => !process.getActiveResourcesInfo().includes('MessagePort'));

test('reports a place that cannot be opened once, as a line of JSON if requested', async () => {
  const missing = join(folder, 'missing.rbxl');
  const json = startCommand('--place', missing, '--offline', '--json');
  assert.equal(await json.exit, 1);
  assert.deepEqual([json.events().length, json.err], [1, []]);
  assert.match(String(json.events()[0]?.['message']), /missing\.rbxl could not be read: no such file or folder/);
  const words = startCommand('--place', missing, '--offline');
  await assert.rejects(words.exit, { code: 'MODEL_UNREADABLE' });
  await threadsEnd();
  assert.deepEqual(json.err, []);
  assert.deepEqual([words.out, words.err], [[], []]);
});
