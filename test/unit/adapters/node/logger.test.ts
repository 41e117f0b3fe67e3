import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLineLogger } from '../../../../src/adapters/node/logger.ts';

test('writes level, names and fields in one line', () => {
  const lines: string[] = [];
  const log = createLineLogger(line => lines.push(line), 'info')
    .child('sync')
    .child('run');
  log.debug('not shown');
  log.info('one\ntwo', { place: 'a "b"', count: 3, absent: undefined });
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /^\d{4}-\d\d-\d\dT[\d:.]+Z info {2}\[sync run\] one\\ntwo place="a \\"b\\"" count=3$/);
});

test('writes the cause after its error, indented', () => {
  const lines: string[] = [];
  createLineLogger(line => lines.push(line), 'debug').error('it failed', new Error('disk is full'), { file: 'x' });
  assert.match(lines[0]!, / error it failed file="x"$/);
  assert.match(lines[1]!, /^ {2}Error: disk is full\n {6}at /);
});
