import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../../../src/base/time-slice.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { projectPath } from '../../../harness/project-world.ts';
import { countFiles, movedFiles } from '../../../../src/project/writeback/moved-files.ts';

const created = (path: string, content: string) => ({ path, kind: 'write', before: null, after: content }) as const;
const removed = (path: string, content: string) => ({ path, kind: 'remove', before: content, after: null }) as const;
const movesOf = (...writes: Parameters<typeof movedFiles>[0]) => Object.fromEntries(runToEnd(movedFiles(writes)));

test('finds a renamed and a moved file by its content', () => {
  assert.deepEqual(movesOf(created('src/B.luau', '1'), removed('src/A.luau', '1')), { 'src/B.luau': 'src/A.luau' });
  assert.deepEqual(movesOf(removed('Kit/A.luau', '1'), created('Box/A.luau', '1')), { 'Box/A.luau': 'Kit/A.luau' });
});

test('keeps names together when several files have one content', () => {
  const writes = [removed('Kit/A.luau', ''), removed('Kit/B.luau', ''), removed('Kit/C.luau', '')];
  assert.deepEqual(
    movesOf(...writes, created('Box/B.luau', ''), created('Box/A.luau', ''), created('Box/D.luau', '')),
    {
      'Box/A.luau': 'Kit/A.luau',
      'Box/B.luau': 'Kit/B.luau',
      'Box/D.luau': 'Kit/C.luau',
    },
  );
});

test('finds no move in other writes', () => {
  assert.deepEqual(movesOf(created('B.luau', '1'), removed('A.luau', '2')), {});
  assert.deepEqual(movesOf(created('B.luau', '1')), {});
  const overwritten = { path: 'B.luau', kind: 'write', before: '0', after: '1' } as const;
  assert.deepEqual(movesOf(overwritten, removed('A.luau', '1')), {}, 'another file was there');
  const folder = { path: 'Kit', kind: 'removeFolder', before: null, after: null } as const;
  assert.deepEqual(movesOf(folder, created('B.luau', '1')), {});
});

test('counts a renamed file once', () => {
  const write = (path: string, text: string) =>
    ({ kind: 'write', path: projectPath(path), bytes: Buffer.from(text), precondition: { kind: 'absent' } }) as const;
  const gitBlob = nodeHasher.gitBlob(Buffer.from('1'));
  const removal = {
    kind: 'remove',
    path: projectPath('A.luau'),
    precondition: { kind: 'hash', gitBlob },
  } as const;
  const count = (...edits: Parameters<typeof countFiles>[0]) => runToEnd(countFiles(edits, nodeHasher));
  assert.equal(count(write('B.luau', '1'), removal), 1);
  assert.equal(count(write('B.luau', '2'), removal), 2);
  assert.equal(count(write('B.luau', '1'), write('C.luau', '1')), 2);
});
