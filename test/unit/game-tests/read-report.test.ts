import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReport } from '../../../src/game-tests/workers/read-report.ts';

const report = { kind: 'test', names: ['adds'], line: 3, status: 'passed', seconds: 0.5, unavailable: [], output: [] };

test('replaces lines and durations that no editor can show', () => {
  for (const line of [0, -5, 1.5, Infinity, 'x', undefined]) {
    const read = readReport({ ...report, line });
    assert.equal(read?.kind === 'test' && read.line, 1, String(line));
  }
  const read = (seconds: number): unknown => {
    const one = readReport({ ...report, seconds });
    return one?.kind === 'test' && one.ms;
  };
  assert.equal(read(0.5), 500);
  assert.equal(read(1e308), 24 * 60 * 60 * 1000);
  assert.equal(read(-1), 0);
});

test('cuts names, messages and lists that would fill the memory of the host', () => {
  const long = 'x'.repeat(1_000_000);
  const read = readReport({
    ...report,
    names: Array.from({ length: 10_000 }, () => long),
    failure: { message: long, stack: Array.from({ length: 10_000 }, () => ({ file: long, line: 1 })) },
    unavailable: Array.from({ length: 10_000 }, () => 'Players'),
    output: Array.from({ length: 10_000 }, () => ({ level: 'info', message: 'a' })),
  });
  assert.ok(JSON.stringify(read).length < 300_000);
  assert.equal(read?.kind === 'test' && read.names.length, 50);
});
