import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildModel } from '../../../src/project/build/build-model.ts';
import { type ModelFormat, writeModel } from '../../../src/roblox/formats/model/model-file.ts';
import { startHeadlessWorld } from '../../harness/headless-world.ts';
import { openProject } from '../../harness/project-world.ts';
import { reflection } from '../../harness/reflection.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const part = (y: number): string =>
  JSON.stringify({ className: 'Part', properties: { Position: [10, y, 0], Orientation: [0, 90, 0], Anchored: true } });
const files = {
  'default.project.json5': JSON.stringify({
    name: 'Game',
    tree: { $className: 'DataModel', Workspace: { $path: 'src/workspace' } },
  }),
  'src/workspace/MyPart.model.json5': part(5),
};

for (const format of ['rbxl', 'rbxlx'] as const satisfies readonly ModelFormat[])
  test(
    `opens a built ${format} with derived properties, and compares them with Studio`,
    { timeout: 60_000 },
    async () => {
      using project = await openProject(files);
      const built = buildModel(project.session, 'place', reflection);
      assert.ok(built);
      const written = writeModel(built.model, format, reflection);
      assert.ok(written.ok);
      await using folder = await tempFolder({ [`built.${format}`]: written.value });
      await using both = await startHeadlessWorld(files, '', {}, `${folder.path}/built.${format}`);
      assert.deepEqual(
        await both.lua(`local part = workspace.MyPart
        return part.Position == Vector3.new(10, 5, 0), part.CFrame.Position == part.Position, math.round(part.Orientation.Y)`),
        [true, true, 90],
      );
      assert.equal((await both.sync()).status, 'empty');
      await both.lua('workspace.MyPart.Position = Vector3.new(0, 5, 0) workspace.MyPart.Anchored = false');
      const [change] = (await both.sync()).changes;
      assert.equal(change?.path, 'Workspace/MyPart');
      assert.equal(change.fsPath, 'src/workspace/MyPart.model.json5');
      assert.deepEqual(change.properties, {
        Anchored: { current: { Bool: false }, incoming: { Bool: true } },
        Position: { current: { Vector3: [0, 5, 0] }, incoming: { Vector3: [10, 5, 0] } },
      });
      assert.equal((await both.decide(() => ({ direction: 'pull' }))).status, 'success');
      assert.match(both.bridge.disk.text('src/workspace/MyPart.model.json5') ?? '', /"Position": ?\[0, ?5, ?0\]/);
    },
  );
