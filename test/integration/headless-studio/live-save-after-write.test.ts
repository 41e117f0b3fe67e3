import assert from 'node:assert/strict';
import { test } from 'node:test';
import { liveWorld, MAIN } from '../../harness/live-world.ts';

test('sends a save to Studio that follows a write of Live Sync before it is confirmed', async () => {
  await using both = await liveWorld();
  const { disk } = both.bridge;
  const [read, readWithStat] = [disk.read.bind(disk), disk.readWithStat.bind(disk)];
  let isReadByProject = false;
  disk.readWithStat = async path => {
    isReadByProject = true;
    return await readWithStat(path).finally(() => (isReadByProject = false));
  };
  let isSaved = false;
  // The bridge reads the file once more than the project, to see whether it is as it was written.
  disk.read = async path => {
    const bytes = await read(path);
    if (!isReadByProject && !isSaved && new TextDecoder().decode(bytes) === 'print("Studio")\n') {
      isSaved = true;
      await both.save('Main.server.luau', 'print("saved")\n');
    }
    return bytes;
  };
  await both.lua(`${MAIN} = 'print("Studio")\\n'`);
  await both.untilLua(MAIN, 'print("saved")\n');
  assert.deepEqual([isSaved, both.needed], [true, []]);
});
