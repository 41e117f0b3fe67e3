import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { processCpuTime } from '../../../../scripts/bench/cpu-time.ts';
import { ContainedPaths } from '../../../../src/adapters/fs/contained-path.ts';
import { createNodeFileSystem } from '../../../../src/adapters/fs/node-file-system.ts';
import { realPathOf } from '../../../../src/adapters/fs/real-path.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { ProjectPath } from '../../../../src/base/brand.ts';

/** CPU time of listing and reading a chain of folders with one file each, without the first round, which includes JIT compilation. */
async function timeOf(depth: number): Promise<number> {
  const root = await mkdtemp(join(tmpdir(), 'atlas-deep-'));
  try {
    const chain = Array.from({ length: depth }, (_, level) => 'f/'.repeat(level) + 'f');
    await mkdir(join(root, chain.at(-1) ?? ''), { recursive: true });
    for (const folder of chain) await writeFile(join(root, folder, 'init.luau'), 'return 1');
    const times: number[] = [];
    for (let round = 0; round < 4; round++) {
      const files = createNodeFileSystem(root, nodeHasher);
      const began = processCpuTime();
      for (const folder of chain)
        for (const { name, kind } of await files.list(folder as ProjectPath))
          if (kind === 'file') await files.readWithStat(`${folder}/${name}` as ProjectPath);
      times.push(processCpuTime() - began);
    }
    return Math.min(...times.slice(1));
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** The least CPU time of 50 calls. */
async function timeOfCalls(call: () => Promise<string>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const began = processCpuTime();
    for (let each = 0; each < 50; each++) await call();
    times.push(processCpuTime() - began);
  }
  return Math.min(...times);
}

test('takes linear time to read a deep chain of folders', async () => {
  const [small, large] = [await timeOf(100), await timeOf(400)];
  assert.ok(large < small * 10, `4 times the depth took ${(large / small).toFixed(1)} times as long`);
});

test(
  'resolves a deep folder, and a file to be created in it, in linear time',
  {
    skip: process.platform !== 'linux' && 'needs /proc',
  },
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'atlas-deep-'));
    try {
      const folder = (names: number): string => Array<string>(names).fill('f').join('/');
      await mkdir(join(root, folder(400)), { recursive: true });
      const paths = new ContainedPaths(root);
      for (const resolve of [
        (names: number) => realPathOf(join(root, folder(names))),
        (names: number) => paths.writable(`${folder(names)}/new/init.luau` as ProjectPath),
      ]) {
        const small = await timeOfCalls(() => resolve(100));
        const large = await timeOfCalls(() => resolve(400));
        assert.ok(large < small * 6, `4 times the depth took ${(large / small).toFixed(1)} times as long`);
      }
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  },
);
