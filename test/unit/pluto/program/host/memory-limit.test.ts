import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchMemory } from '../../../../../src/pluto/program/host/memory-limit.ts';

const MEGABYTE = 2 ** 20;

test('reports once when the process has taken the limit of a thread and half of the spare memory', t => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let megabytes = 100;
  t.mock.method(process.memoryUsage, 'rss', () => megabytes * MEGABYTE);
  let reports = 0;
  const end = watchMemory(512, () => (reports += 1));
  megabytes = 100 + 512 + 768;
  t.mock.timers.tick(1_000);
  assert.equal(reports, 0);
  megabytes += 1;
  t.mock.timers.tick(1_000);
  assert.equal(reports, 1);
  end();
});

test('reports nothing after the end of the thread', t => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let megabytes = 100;
  t.mock.method(process.memoryUsage, 'rss', () => megabytes * MEGABYTE);
  const end = watchMemory(512, () => assert.fail('the thread has ended'));
  end();
  megabytes = 10_000;
  t.mock.timers.tick(1_000);
});
