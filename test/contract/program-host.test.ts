import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIgnoredFiles } from '../../src/pluto/program/host/ignored-files.ts';
import { createProgramHost } from '../../src/pluto/program/host/program-host.ts';
import type { ProgramHost } from '../../src/pluto/ports/program-host.ts';
import { MemoryProgramHost } from '../harness/memory-program-host.ts';
import { tempFolder, type TempFolder } from '../harness/temp-folder.ts';

interface HostWorld {
  readonly host: ProgramHost;
  readonly written: (to: 'stdout' | 'stderr') => string;
}

const hosts: Readonly<Record<string, (input: string, folder: TempFolder) => HostWorld>> = {
  memory(input) {
    const host = new MemoryProgramHost(input);
    return { host, written: to => host.textOf(to) };
  },
  node(input, { path }) {
    const out = { stdout: '', stderr: '' };
    const host = createProgramHost({
      output: { write: (to, bytes) => void (out[to] += bytes) },
      input: new TextEncoder().encode(input),
      environment: {},
      reach: { folder: path, temporary: path, isUnlimited: false },
      heapMegabytes: 512,
      createIgnored: createIgnoredFiles,
    });
    return { host, written: to => Buffer.from(out[to], 'latin1').toString() };
  },
};

for (const [name, make] of Object.entries(hosts)) {
  test(`${name}: reads lines one by one without line ends, and undefined at the end`, async () => {
    await using folder = await tempFolder();
    const { host } = make('one\r\n\nlast é', folder);
    assert.deepEqual(
      [host.readLine(), host.readLine(), host.readLine(), host.readLine(), host.readLine()],
      ['one', '', 'last Ã©', undefined, undefined],
    );
    assert.equal(make('', folder).host.readLine(), undefined);
    assert.deepEqual(
      [make('a\n', folder).host].flatMap(one => [one.readLine(), one.readLine()]),
      ['a', undefined],
    );
  });

  test(`${name}: writes bytes, and keeps the two streams separate`, async () => {
    await using folder = await tempFolder();
    const { host, written } = make('', folder);
    host.write('stdout', 'h\u00c3\u00a9');
    host.write('stderr', 'no');
    assert.deepEqual([written('stdout'), written('stderr')], ['hé', 'no']);
  });

  test(`${name}: advances the time, and sleeps for the given time`, async () => {
    await using folder = await tempFolder();
    const { host } = make('', folder);
    const before = host.monotonicNs();
    host.sleep(2_000_000n);
    assert.ok(host.monotonicNs() - before >= 2_000_000n);
    assert.ok(host.wallNs() >= 0n && host.heapBytes() >= 0 && host.seed() >= 0n);
  });

  test(`${name}: gives the program separate variables`, async () => {
    await using folder = await tempFolder();
    const { host } = make('', folder);
    host.environment.set('PLUTO_TEST_OF_HOSTS', '1');
    assert.equal(process.env['PLUTO_TEST_OF_HOSTS'], undefined);
  });
}
