import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { SyncResult } from '../../../src/protocol/sync-result.ts';
import type { CliIo } from '../../../src/cli/io.ts';
import { runSyncCommand } from '../../../src/cli/sync.ts';

const place = fileURLToPath(new URL('../../../examples/places/baseplate-566.rbxlx', import.meta.url));

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'drift-'));
  await cp(place, join(folder, 'place.rbxlx'));
  await mkdir(join(folder, 'game/shared'), { recursive: true });
  await writeFile(
    join(folder, 'game/default.project.json'),
    JSON.stringify({ name: 'Game', tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'shared' } } }),
  );
  await writeFile(join(folder, 'game/shared/Config.luau'), 'return 16\n');
});
after(() => rm(folder, { recursive: true, force: true }));

async function sync(...args: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const io: CliIo = {
    out: line => out.push(line),
    err: line => err.push(line),
    cwd: folder,
    env: { XDG_STATE_HOME: join(folder, 'state') },
    stop: new AbortController().signal,
    version: '0',
  };
  const code = await runSyncCommand(args, io, () => Promise.reject(new Error('not needed')));
  return { code, out: out.join('\n'), err: err.join('\n') };
}

test('lists differences, stops when undecided, and makes both sides equal when decided', async () => {
  const before = await readFile(join(folder, 'place.rbxlx'));
  const dry = await sync('game', '--place', 'place.rbxlx', '--json');
  assert.equal(dry.code, 3, dry.err);
  const result = JSON.parse(dry.out) as SyncResult;
  assert.deepEqual(
    result.changes.map(({ patchType, path }) => `${patchType} ${path}`),
    ['Add ReplicatedStorage/Config'],
  );

  const check = await sync('game', '--place', 'place.rbxlx', '--mode', 'fastfail');
  assert.equal(check.code, 3, check.err);
  assert.match(check.out, /Nothing was changed\.[\s\S]*Add --save <file> to apply/);

  const undecided = await sync('game', '--place', 'place.rbxlx', '--mode', 'fastfail', '--save', 'saved.rbxl');
  assert.equal(undecided.code, 3, undecided.err);
  assert.match(undecided.out, /undecided/);
  await assert.rejects(readFile(join(folder, 'saved.rbxl')), 'nothing was applied, so nothing is saved');

  await promisify(execFile)('git', ['init', '-q'], { cwd: join(folder, 'game') });
  const done = await sync('game', '--place', 'place.rbxlx', '--mode', 'fastfail', '--save', 'saved.rbxl');
  assert.equal(done.code, 0, done.err + done.out);
  assert.match(done.out, /Saved saved\.rbxl$/m);
  assert.deepEqual(await readFile(join(folder, 'place.rbxlx')), before, 'the place file itself is not changed');

  for (const mode of ['dryrun', 'fastfail']) {
    const again = await sync('game/default.project.json', '--place', 'saved.rbxl', '--mode', mode, '--json');
    assert.equal(again.code, 0, again.out);
    assert.equal((JSON.parse(again.out) as SyncResult).status, 'empty');
  }
});

test('fails for a missing place file and for a file that is not a place', async () => {
  const missing = await sync('game', '--place', 'nowhere.rbxl');
  assert.equal(missing.code, 1);
  assert.match(missing.err, /nowhere\.rbxl could not be read: no such file/);
  await writeFile(join(folder, 'text.rbxl'), 'no place');
  const broken = await sync('game', '--place', 'text.rbxl', '--json');
  assert.equal(broken.code, 1);
  assert.equal((JSON.parse(broken.out) as { error: { code: string } }).error.code, 'MODEL_UNREADABLE');
});

test('does not compare a project with a broken file, whose instances would look removed', async () => {
  await writeFile(join(folder, 'game/shared/Broken.model.json'), '{');
  try {
    const broken = await sync('game', '--place', 'place.rbxlx', '--json');
    assert.equal(broken.code, 1);
    assert.equal((JSON.parse(broken.out) as { error: { code: string } }).error.code, 'PROJECT_INVALID');
  } finally {
    await rm(join(folder, 'game/shared/Broken.model.json'));
  }
});

test('compares a project with servePlaceIds with a file when --place-id is one of them', async () => {
  const file = join(folder, 'game/default.project.json');
  const before = await readFile(file, 'utf8');
  await writeFile(file, JSON.stringify({ ...(JSON.parse(before) as object), servePlaceIds: [42] }));
  try {
    const unnamed = await sync('game', '--place', 'place.rbxlx');
    assert.equal(unnamed.code, 1);
    assert.match(unnamed.err, /place 0 is not listed in servePlaceIds of project Game.*--place-id/);
    const named = await sync('game', '--place', 'place.rbxlx', '--place-id', '42', '--json');
    assert.equal(named.code, 3, named.err);
    assert.equal((JSON.parse(named.out) as SyncResult).place?.placeId, 42);
    const other = await sync('game', '--place', 'place.rbxlx', '--place-id', '43');
    assert.equal(other.code, 1);
    assert.match(other.err, /place 43 is not listed in/);
  } finally {
    await writeFile(file, before);
  }
});

test('prints the usage for wrong arguments', async () => {
  const wrong = await sync('game');
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /^hint: run 'atlas-bridge sync --help' for usage$/m);
});
