import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { threadCpuTime } from '../../../../scripts/bench/cpu-time.ts';
import { AppError } from '../../../../src/base/errors.ts';
import { writeModel } from '../../../../src/roblox/formats/model/model-file.ts';
import { openProject } from '../../../harness/project-world.ts';
import { reflection } from '../../../harness/reflection.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
function modelBytes(format: 'rbxm' | 'rbxmx'): Uint8Array {
  const inner = { referent: 'b', className: 'Part', name: 'Inner', properties: new Map(), children: [] };
  const root = { referent: 'a', className: 'Folder', name: 'Root', properties: new Map(), children: [inner] };
  const written = writeModel({ roots: [root], metadata: new Map() }, format, reflection);
  assert.ok(written.ok);
  return written.value;
}

/** A typical file of every readable kind. */
const good: Readonly<Record<string, Uint8Array>> = {
  'src/A.luau': bytesOf('\uFEFFreturn 1\r\n'),
  'src/A.meta.json': bytesOf('{"properties": {"Archivable": false}, "attributes": {"a": 1}}'),
  'src/D/init.server.lua': bytesOf('print("x")'),
  'src/D/init.meta.json': bytesOf('{"ignoreUnknownInstances": true, "id": "x"}'),
  'src/data.json': bytesOf('{"a": [1, null, {"b": "\\u00e9"}], "end": 1e300}'),
  'src/config.toml': bytesOf('a = 1\n[t]\nd = 1979-05-27T07:32:00Z\n'),
  'src/list.yaml': bytesOf('- a: 1\n  b: [1, "two"]\n- |\n  text\n'),
  'src/words.csv': bytesOf('Key,Source,Context,Example,de\nk,"a ""b""",,,c\n'),
  'src/note.txt': bytesOf('text'),
  'src/M.model.json': bytesOf(
    '{"ClassName": "Part", "Properties": {"Size": [1, 2, 3], "Material": "Wood", "CFrame": {"CFrame": {"position": [1,2,3], "orientation": [[1,0,0],[0,1,0],[0,0,1]]}}}, "Children": [{"Name": "B", "ClassName": "Folder"}]}',
  ),
  'src/B.rbxm': modelBytes('rbxm'),
  'src/X.rbxmx': modelBytes('rbxmx'),
  'src/sub/default.project.json': bytesOf(
    '{"name": "Sub", "globIgnorePaths": ["**/*.spec.lua"], "tree": {"$className": "Folder"}}',
  ),
};
const root = bytesOf(
  '{"name": "Game", "servePlaceIds": [1], "syncRules": [{"pattern": "*.t", "use": "text"}], "tree": {"$className": "DataModel", "ReplicatedStorage": {"$path": "src", "$attributes": {"a": 1}}, "Lighting": {"$properties": {"Ambient": [1, 0, 0]}}}}',
);

type Damage = (bytes: Uint8Array) => Uint8Array;
const at = (bytes: Uint8Array, place: number): number => place % (bytes.length + 1);
const damages: fc.Arbitrary<Damage> = fc.oneof(
  fc.uint8Array({ maxLength: 64 }).map(
    (bytes): Damage =>
      () =>
        bytes,
  ),
  fc.nat().map(
    (end): Damage =>
      bytes =>
        bytes.slice(0, at(bytes, end)),
  ),
  fc.tuple(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 6 })).map(
    ([place, put]): Damage =>
      bytes =>
        Uint8Array.from([...bytes.slice(0, at(bytes, place)), ...put, ...bytes.slice(at(bytes, place))]),
  ),
  fc.tuple(fc.nat(), fc.nat(255)).map(([place, byte]): Damage => bytes => {
    const damaged = bytes.slice();
    if (damaged.length > 0) damaged[place % damaged.length] = byte;
    return damaged;
  }),
  fc.tuple(fc.constantFrom('[', '{"a":', '<Item class="Folder">', '- ', '"', '\u0000', '((('), fc.nat(40_000)).map(
    ([text, times]): Damage =>
      () =>
        bytesOf(text.repeat(times)),
  ),
);
/** Maximum CPU time for one file. */
const HANG_MS = 20_000;

for (const [path, bytes] of Object.entries(good))
  test(`opens with any bytes in ${path}, reports problems and recovers when it is valid`, async () => {
    await fc.assert(
      fc.asyncProperty(damages, async damage => {
        const began = threadCpuTime();
        using world = await openProject({ 'default.project.json': root, ...good, [path]: damage(bytes) });
        for (const problem of world.session.diagnostics())
          assert.ok(problem.line >= 1 && problem.column >= 1 && problem.message.length > 0, problem.message);
        assert.ok(world.at('ReplicatedStorage').children.length >= Object.keys(good).length - 5);
        world.files.set(path, bytes);
        await world.refresh();
        assert.deepEqual(world.session.diagnostics(), []);
        assert.ok(threadCpuTime() - began < HANG_MS);
      }),
      { numRuns: 40 },
    );
  });

test('opens any project file or reports why it cannot', async () => {
  await fc.assert(
    fc.asyncProperty(damages, async damage => {
      try {
        using world = await openProject({ 'default.project.json': damage(root), ...good });
        assert.ok(world.session.get(world.session.rootId));
      } catch (error) {
        assert.ok(AppError.is(error, 'PROJECT_INVALID') || AppError.is(error, 'NO_PROJECT'), String(error));
      }
    }),
    { numRuns: 150 },
  );
});
