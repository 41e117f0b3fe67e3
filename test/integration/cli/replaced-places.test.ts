import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { runHeadless } from '../../../src/cli/headless/headless.ts';
import { typeCommand } from '../../harness/command-line.ts';
import { until } from '../../harness/until.ts';

const place = (name: string): string =>
  `<roblox version="4"><Item class="Workspace" referent="A"><Properties><string name="Name">${name}</string></Properties></Item></roblox>`;
const mine = place('Mine');

/** A folder with the place `game.rbxlx`, which is a project or not. */
function folderWithPlace(t: TestContext, isProject: boolean): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'atlas-places-')));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'places'));
  writeFileSync(join(folder, 'places/game.rbxlx'), place('Opened'));
  const tree = { $className: 'DataModel' };
  if (isProject) writeFileSync(join(folder, 'default.project.json'), JSON.stringify({ name: 'Game', tree }));
  return folder;
}

/** Starts `headless` without a bridge. `note` is called for each line of standard error. */
function startHeadless(folder: string, args: readonly string[], note: (line: string) => void = () => {}) {
  const out: string[] = [];
  const err: string[] = [];
  const input = new PassThrough();
  const io = {
    out: (line: string) => out.push(line),
    err: (line: string) => {
      err.push(line);
      note(line);
    },
    cwd: folder,
    env: { XDG_STATE_HOME: join(folder, 'state') },
    stop: new AbortController().signal,
    version: '0',
  };
  const exit = runHeadless(['--place', 'places/game.rbxlx', '--offline', ...args], io, input);
  return { out, err, input, exit };
}

const restore = (cwd: string, ...args: readonly string[]) => typeCommand(['restore', ...args], { cwd });
/** The id of the record that a note names. */
const recordIn = (err: readonly string[]): string => /--run (\S+)'$/m.exec(err.join('\n'))?.[1] ?? '';

for (const isProject of [true, false])
  test(`[P1] headless --save records an edit of the place ${isProject ? 'in' : 'outside'} a project that was saved since it was opened`, async t => {
    const folder = folderWithPlace(t, isProject);
    const file = join(folder, 'places/game.rbxlx');
    const first = startHeadless(folder, ['--save', 'places/game.rbxlx']);
    await until(() => first.out.some(line => line.startsWith('Opened')));
    writeFileSync(file, mine);
    first.input.end('workspace.Name = "Saved"');
    assert.equal(await first.exit, 0, first.err.join('\n'));
    assert.match(readFileSync(file, 'utf8'), />Saved</);
    // Its own result can be made again.
    const again = startHeadless(folder, ['--save', 'places/game.rbxlx']);
    again.input.end('workspace.Name = "Again"');
    assert.equal(await again.exit, 0);
    assert.deepEqual(again.err, []);
    // The journal is that of the project, or that of the folder of the place.
    const target = isProject ? folder : join(folder, 'places');
    const restored = await restore(folder, target, '--run', recordIn(first.err));
    assert.equal(restored.code, 0, restored.err);
    assert.equal(readFileSync(file, 'utf8'), mine);
  });

test('[P1] headless does not replace an edit of the place that is saved while it writes', async t => {
  const folder = folderWithPlace(t, true);
  const file = join(folder, 'places/game.rbxlx');
  // The place is recorded, and replaced next.
  const command = startHeadless(folder, ['--json'], () => writeFileSync(file, mine));
  command.input.end(`${JSON.stringify({ save: 'places/game.rbxlx' })}\n`);
  assert.equal(await command.exit, 0);
  const { event, message } = JSON.parse(command.out.at(-1) ?? '') as { event: string; message: string };
  assert.equal(event, 'failed');
  assert.match(message, /game\.rbxlx.*changed on disk after it was read/);
  assert.equal(readFileSync(file, 'utf8'), mine);
});

test('[P1] a command records the file outside its project that it replaces', async t => {
  const folder = folderWithPlace(t, true);
  const other = folderWithPlace(t, false);
  const file = join(other, 'places/game.rbxlx');
  writeFileSync(file, mine);
  const built = await typeCommand(['build', '-o', file], { cwd: folder });
  assert.equal(built.code, 0, built.err);
  assert.notEqual(readFileSync(file, 'utf8'), mine);
  const restored = await restore(folder, join(other, 'places'), '--run', recordIn([built.err]));
  assert.equal(restored.code, 0, restored.err);
  assert.equal(readFileSync(file, 'utf8'), mine);
});

test('[P1] serve records the sourcemap of a person before it keeps its own', async t => {
  const folder = folderWithPlace(t, true);
  const file = join(folder, 'sourcemap.json');
  writeFileSync(file, mine);
  const served = await typeCommand(['serve', '--port', '0', '--set', 'sourcemap.autoWrite=true'], {
    cwd: folder,
    until: () => readFileSync(file, 'utf8') !== mine,
  });
  assert.equal(served.code, 0, served.err);
  const restored = await restore(folder, '--run', recordIn([served.err]));
  assert.equal(restored.code, 0, restored.err);
  assert.equal(readFileSync(file, 'utf8'), mine);
});

test('[P1] a command keeps a file that is too large to be recorded', async t => {
  const folder = folderWithPlace(t, true);
  const file = join(folder, 'huge.rbxlx');
  writeFileSync(file, mine);
  truncateSync(file, 2 ** 33);
  const built = await typeCommand(['build', '-o', file], { cwd: folder });
  assert.equal(built.code, 1);
  assert.match(built.err, /its previous content is larger than 2 GB and cannot be recorded/);
  assert.equal(statSync(file).size, 2 ** 33);
});

test(
  'a command writes into a pipe or a device, and never replaces it',
  { skip: process.platform === 'win32' && 'Windows has no mkfifo' },
  async t => {
    const folder = folderWithPlace(t, true);
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reading = promisify(execFile)('cat', [pipe]);
    const written = await typeCommand(['sourcemap', '--include-non-scripts', '-o', pipe], { cwd: folder });
    assert.equal(written.code, 0, written.err);
    assert.equal((JSON.parse((await reading).stdout) as { name: string }).name, 'Game');
    assert.ok(lstatSync(pipe).isFIFO());
  },
);
