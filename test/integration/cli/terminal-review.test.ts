import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { CliIo } from '../../../src/cli/io.ts';
import { showReviews } from '../../../src/cli/review/show-review.ts';
import { runSyncCommand } from '../../../src/cli/sync.ts';
import { FakeTerminal } from '../../harness/fake-terminal.ts';
import { connectFakeStudio } from '../../harness/connect-fake-studio.ts';
import { announcedBridges } from '../../../src/adapters/node/announced-bridges.ts';
import { mcpWorld } from '../../harness/mcp-world.ts';
import { startBridge } from '../../harness/start-bridge.ts';
import { until } from '../../harness/until.ts';
import { cliEntry } from '../../harness/cli-entry.ts';

const baseplate = fileURLToPath(new URL('../../../examples/places/baseplate-566.rbxlx', import.meta.url));
const project = (parts: readonly string[]): string =>
  JSON.stringify({
    name: 'harbor',
    tree: {
      $className: 'DataModel',
      Workspace: {
        $className: 'Workspace',
        $ignoreUnknownInstances: false,
        ...Object.fromEntries(parts.map(name => [name, { $className: 'Part' }])),
      },
    },
  });

/** Opens a review of `parts` that are only on disk, and of a folder that is only in Studio, in a terminal. */
async function review(parts: readonly string[]) {
  const bridge = await startBridge({ 'default.project.json': project(parts) });
  await bridge.connectStudio({ Workspace: { className: 'Workspace' }, 'Workspace/Old': { className: 'Folder' } });
  const terminal = new FakeTerminal();
  const run = bridge.engine.start({ mode: 'manual', overrides: [], requestedBy: 'CLI', canDecide: true });
  const shown = showReviews(run, terminal);
  await terminal.shows(/Review Changes: Baseplate/);
  return { bridge, terminal, run, shown, [Symbol.asyncDispose]: () => bridge[Symbol.asyncDispose]() };
}

test('decides with the keys, rows and labels of the review page', async () => {
  await using world = await review(['Lamp']);
  const { terminal, run } = world;
  assert.match(terminal.text, /2 changes, 2 undecided/);
  assert.match(terminal.text, /^> Disk {3}Workspace\/Lamp \(Part\) +No suggestion +undecided$/m);
  assert.match(terminal.text, /^ {2}Studio Workspace\/Old \(Folder\) +No suggestion +undecided$/m);
  assert.match(terminal.text, /Difference: Only on disk\. Studio does not have it\./);
  terminal.press('a');
  await terminal.shows(/2 undecided\./);
  terminal.press('p', 'n');
  await terminal.shows(/^> Studio/m);
  assert.match(terminal.text, /Disk {3}Workspace\/Lamp \(Part\) +No suggestion +Push/);
  terminal.press('s');
  await terminal.shows(/Your choice: Skip: change nothing\./);
  terminal.press('a');
  assert.equal((await run.result).status, 'success');
  await world.shown;
  assert.equal(terminal.isOpen, false);
});

test('decides every row except deletions with one key, and rejects with R', async () => {
  await using world = await review(['Lamp', 'Desk']);
  const { terminal, run } = world;
  terminal.press('P');
  await terminal.shows(/1 deletion was skipped\. Decide it individually\./);
  assert.match(terminal.text, /3 changes, 1 undecided/);
  terminal.press('r');
  assert.equal((await run.result).status, 'rejected');
});

test('cancels the sync and restores the terminal at Ctrl+C', async () => {
  await using world = await review(['Lamp']);
  world.terminal.press('ctrl-c');
  assert.equal((await world.run.result).status, 'cancelled');
  await world.shown;
  assert.equal(world.terminal.isOpen, false);
});

test('closes the terminal when another front end decides first', async () => {
  await using world = await review(['Lamp']);
  const control = world.run.review()!;
  control.reject(control.status().revision);
  await until(() => !world.terminal.isOpen);
  assert.equal((await world.run.result).status, 'rejected');
});

test('shows every row by scrolling in a small terminal, without long lines', async () => {
  const parts = Array.from({ length: 40 }, (_, index) => `Part${String(index).padStart(2, '0')}`);
  await using world = await review(parts);
  const { terminal } = world;
  for (const [columns, rows] of [
    [40, 10],
    [20, 5],
    [200, 60],
  ] as const) {
    terminal.resize(columns, rows);
    terminal.press('home');
    for (let step = 0; step < 40; step += 1) {
      assert.ok(terminal.screen.length <= rows, `${terminal.screen.length} lines in ${rows}`);
      for (const line of terminal.screen) assert.ok(line.length <= columns, line);
      assert.match(terminal.text, /^> /m);
      terminal.press('down');
    }
  }
  world.run.cancel();
});

test('writes no control characters of names to the terminal', async () => {
  await using world = await review(['Lamp\u001B[2Jgone', 'Line\nforged']);
  assert.ok(world.terminal.screen.every(line => Array.from(line).every(char => char >= ' ')));
  assert.match(world.terminal.text, /Lamp\\u001b\[2Jgone/);
  assert.match(world.terminal.text, /Line\\u000aforged/);
  world.run.cancel();
});

test('syncs a project with a place file with sync --review', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atlas-review-'));
  try {
    await cp(baseplate, join(folder, 'place.rbxlx'));
    await mkdir(join(folder, 'game/shared'), { recursive: true });
    const tree = { $className: 'DataModel', ReplicatedStorage: { $path: 'shared' } };
    await writeFile(join(folder, 'game/default.project.json'), JSON.stringify({ name: 'Game', tree }));
    await writeFile(join(folder, 'game/shared/Config.luau'), 'return 16\n');
    const terminal = new FakeTerminal();
    const out: string[] = [];
    const io: CliIo = {
      out: line => out.push(line),
      err: () => undefined,
      cwd: folder,
      env: { XDG_STATE_HOME: join(folder, 'state') },
      stop: new AbortController().signal,
      terminal,
      version: '0',
    };
    const args = ['game', '--place', 'place.rbxlx', '--review', '--save', 'saved.rbxlx'];
    const done = runSyncCommand(args, io, () => Promise.reject(new Error('not needed')));
    await terminal.shows(/ReplicatedStorage\/Config \(ModuleScript\)/);
    terminal.press('enter');
    await terminal.shows(/^\+ return 16$/m);
    terminal.press('escape');
    await terminal.shows(/^> Disk/m);
    terminal.press('p');
    await terminal.shows(/all decided/);
    terminal.press('a');
    assert.equal(await done, 0, out.join('\n'));
    assert.match(out.join('\n'), /Saved saved\.rbxlx/);
    assert.match(await readFile(join(folder, 'saved.rbxlx'), 'utf8'), /return 16/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('decides in the running bridge of the folder with sync --review without a place', async () => {
  await using here = await mcpWorld({ 'game/default.project.json': project(['Lamp']) });
  const client = await here.connect();
  await client.listTools();
  const [bridge] = await announcedBridges(here.state);
  const place = { Workspace: { className: 'Workspace' } };
  await using _studio = await connectFakeStudio(new URL(bridge!.mcpUrl).origin, place, {}, await here.studioKey());
  const terminal = new FakeTerminal();
  const out: string[] = [];
  const io: CliIo = {
    out: line => out.push(line),
    err: line => out.push(line),
    cwd: here.folder,
    env: { XDG_STATE_HOME: here.stateHome },
    stop: new AbortController().signal,
    terminal,
    version: '0',
  };
  const done = runSyncCommand(['--review'], io, () => Promise.reject(new Error('not needed')));
  await terminal.shows(/1 undecided[\s\S]*> Workspace\/Lamp \(Part\)/);
  terminal.press('enter');
  await terminal.shows(/Choose an option for each entry\./);
  terminal.press('1', 'enter');
  await terminal.shows(/1 Apply$/m);
  terminal.press('1', 'enter');
  assert.equal(await done, 0, out.join('\n'));
});

test('starts a bridge and waits for Studio with sync --review when there is none', async () => {
  await using here = await mcpWorld({ 'game/default.project.json': project(['Lamp']) });
  const terminal = new FakeTerminal();
  const out: string[] = [];
  const io: CliIo = {
    out: line => out.push(line),
    err: line => out.push(line),
    cwd: here.folder,
    env: { XDG_STATE_HOME: here.stateHome },
    stop: new AbortController().signal,
    terminal,
    version: '0',
  };
  const args = ['--review', '--set', 'port=0'];
  const done = runSyncCommand(args, io, () => Promise.reject(new Error('not needed')));
  await until(() => out.some(line => line.startsWith('Waiting for Studio to connect to ')));
  const [bridge] = await announcedBridges(here.state);
  const place = { Workspace: { className: 'Workspace' } };
  await using _studio = await connectFakeStudio(new URL(bridge!.mcpUrl).origin, place, {}, await here.studioKey());
  await terminal.shows(/Workspace\/Lamp \(Part\)/);
  terminal.press('p');
  await terminal.shows(/all decided/);
  terminal.press('a');
  assert.equal(await done, 0, out.join('\n'));
  assert.deepEqual(await announcedBridges(here.state), []);
});

test(
  'restores the terminal when a signal ends the program',
  { skip: process.platform !== 'linux' && 'only Linux has a script command with these options' },
  async () => {
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
      await using here = await mcpWorld({ 'game/default.project.json': project(['Lamp']) });
      const place = `--place ${JSON.stringify(baseplate)} --save ${JSON.stringify(join(here.home, 'saved.rbxlx'))}`;
      const command = `${JSON.stringify(process.execPath)} ${JSON.stringify(cliEntry)} sync ${here.folder} ${place} --review`;
      const script = `echo $$ > ${join(here.home, 'pid')}; exec ${command}`;
      const child = spawn('script', ['-qefc', script, '/dev/null'], {
        env: { ...process.env, XDG_STATE_HOME: here.stateHome, TERM: 'xterm' },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      let text = '';
      child.stdout.on('data', (chunk: Buffer) => {
        text += String(chunk);
      });
      const ended = new Promise(resolve => child.once('close', resolve));
      using _end = { [Symbol.dispose]: () => child.kill('SIGKILL') };
      await until(() => text.includes('Review Changes:'));
      assert.ok(text.includes('\u001B[?1049h'));
      process.kill(Number(await readFile(join(here.home, 'pid'), 'utf8')), signal);
      await ended;
      assert.ok(text.lastIndexOf('\u001B[?1049l') > text.lastIndexOf('\u001B[?1049h'), signal);
      assert.ok(text.includes('\u001B[?25h'), signal);
    }
  },
);
