import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher as hasher } from '../../../../../src/adapters/node/hasher.ts';
import type { ProjectPath } from '../../../../../src/base/brand.ts';
import { PlutoProject } from '../../../../../src/core/pluto/project/pluto-project.ts';
import { ProjectUses } from '../../../../../src/core/pluto/refs/project-uses.ts';
import type { UseTable } from '../../../../../src/core/pluto/refs/use-table.ts';
import type { DeclId } from '../../../../../src/core/pluto/syntax/ast/node.ts';
import { eachItem, nameOfItem } from '../../../../../src/core/pluto/syntax/parts.ts';
import { MemoryFileSystem } from '../../../../harness/memory-file-system.ts';

const { signal } = new AbortController();

class World {
  readonly disk: MemoryFileSystem;
  readonly project: PlutoProject;
  readonly uses: ProjectUses;
  constructor(disk: MemoryFileSystem, project: PlutoProject) {
    this.disk = disk;
    this.project = project;
    this.uses = new ProjectUses(project);
  }
  static async of(files: Readonly<Record<string, string>>): Promise<World> {
    const disk = new MemoryFileSystem(files);
    return new World(disk, await PlutoProject.open({ files: disk, hasher }, signal));
  }
  async idOf(wanted: string): Promise<DeclId> {
    let found: DeclId | undefined;
    for (const state of await this.project.loadAll(signal))
      if (state.kind === 'loaded')
        eachItem(state.module.tree.items, (item, owners) => {
          if ([...owners, item].map(nameOfItem).join('.') === wanted) found ??= item.id;
        });
    assert.ok(found !== undefined, wanted);
    return found;
  }
  /** `file:kind:site in from`, for each use. */
  async usesOf(wanted: string): Promise<readonly string[]> {
    const table = await this.uses.table(signal);
    const names = await this.names();
    const texts = await this.texts();
    return table.usesOf(await this.idOf(wanted)).map(({ file, use }) => {
      const site = texts.get(file)?.slice(use.site.start, use.site.end).replaceAll(/\s+/g, ' ');
      assert.equal(texts.get(file)?.slice(use.name.start, use.name.end), wanted.split('.').at(-1));
      return `${file}:${use.kind}:${site} in ${use.from === undefined ? '' : names.get(use.from)}`;
    });
  }
  async names(): Promise<ReadonlyMap<DeclId, string>> {
    const names = new Map<DeclId, string>();
    for (const state of await this.project.loadAll(signal))
      if (state.kind === 'loaded') eachItem(state.module.tree.items, item => names.set(item.id!, nameOfItem(item)));
    return names;
  }
  async texts(): Promise<ReadonlyMap<ProjectPath, string>> {
    const states = await this.project.loadAll(signal);
    return new Map(
      states.flatMap(state => (state.kind === 'loaded' ? [[state.path, state.module.text] as const] : [])),
    );
  }
  open = async (text: string): Promise<number> =>
    ((await this.uses.table(signal)) satisfies UseTable).openUsesNamed(text).length;
}

const files = {
  'geo/shapes.pt': `pub class Point impl Show {
    x: int
    y: int

    fn show(self) string { return "p" }
}
pub trait Show { fn show(self) string }
pub enum Shape { Dot Circle { radius: int, at: Point? } }
pub error Flat { at: Point }
pub fn origin() Point { return Point { x: 0, y: 0 } }
`,
  'main.pt': `import geo as g
fn area(shape: g.Shape) int {
    match shape {
        g.Shape.Dot { return 0 }
        g.Shape.Circle { radius: r, at } { return r * r }
    }
}
fn main() {
    let p = g.origin()
    let q: g.Point? = g.Point { x: p.x, y: 1 }
    let s = g.Shape.Circle { radius: 2, at: q }
    let d = g.Shape.Dot
    let n = area(s) catch e: g.Flat { 0 }
    each([p], (area: fn(int) int) => area(1))
    if n > 1 { raise g.Flat { at: p } }
    p.show()
}
`,
  'other.pt': 'fn helper() { print(area(none)) }\n',
};

test('calls are found across modules, files and closures, and a variable of the same name is none', async () => {
  const world = await World.of(files);
  assert.deepEqual(await world.usesOf('origin'), ['main.pt:call:g.origin() in main']);
  assert.deepEqual(await world.usesOf('area'), ['main.pt:call:area(s) in main', 'other.pt:call:area(none) in helper']);
});

test('types, literals, variants, errors and fields are found where they are named', async () => {
  const world = await World.of(files);
  assert.deepEqual(await world.usesOf('Point'), [
    'geo/shapes.pt:type_ref:Point in Shape',
    'geo/shapes.pt:type_ref:Point in Flat',
    'geo/shapes.pt:type_ref:Point in origin',
    'geo/shapes.pt:construct:Point { x: 0, y: 0 } in origin',
    'main.pt:type_ref:g.Point in main',
    'main.pt:construct:g.Point { x: p.x, y: 1 } in main',
  ]);
  assert.deepEqual(await world.usesOf('Shape.Circle'), [
    'main.pt:enum_variant:g.Shape.Circle { radius: r, at } in area',
    'main.pt:enum_variant:g.Shape.Circle { radius: 2, at: q } in main',
  ]);
  assert.deepEqual(await world.usesOf('Flat'), [
    'main.pt:catch:catch e: g.Flat { 0 } in main',
    'main.pt:raise:raise g.Flat { at: p } in main',
  ]);
  assert.deepEqual(await world.usesOf('Show'), ['geo/shapes.pt:impl:Show in Point']);
  assert.deepEqual(await world.usesOf('Shape.Circle.radius'), [
    'main.pt:field:radius: r in area',
    'main.pt:field:radius: 2 in main',
  ]);
  assert.deepEqual(await world.usesOf('Point.x'), [
    'geo/shapes.pt:field:x: 0 in origin',
    'main.pt:field:x: p.x in main',
  ]);
});

test('a member whose owner only a type tells waits under its name for the checker', async () => {
  const world = await World.of(files);
  assert.deepEqual([await world.open('show'), await world.open('x'), await world.open('origin')], [1, 1, 0]);
});

test('every place that can name a class, trait or stage does so', async () => {
  const world = await World.of({
    'a.pt': `class Log {}
trait Show {}
class Both<T: Show> uses Log [dep: Log, far: remote Log] impl Show { list: [Map<string, Log>] }
app Shop[log: Log] {
    ambient Log
    scoped Log
    fn main(self) { scope(Log {}) |l: Log| { let x = l as Log } }
}
fn f<T: Show>(a: fn(Log) Log?, b: stream Log) Box<Log> {
    let (tx, rx) = chan<Log>()
    let m = Map<string, Log> {}
    let s = Show::make<Log>()
}
`,
    'b/b.pt': 'stage Base {}\nstage Child : Base {}\n',
  });
  assert.equal((await world.usesOf('Log')).length, 17);
  assert.deepEqual(
    (await world.usesOf('Show')).map(use => use.split(':')[1]).toSorted((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1)),
    ['impl', 'type_ref', 'type_ref', 'type_ref'],
  );
  assert.deepEqual(await world.usesOf('Base'), ['b/b.pt:type_ref:Base in Child']);
});

test('after an edit only files whose text or whose visible names changed are walked again', async () => {
  const world = await World.of(files);
  const before = await world.uses.table(signal);
  const main = before.usesIn('main.pt' as ProjectPath);
  const other = before.usesIn('other.pt' as ProjectPath);
  world.disk.set('geo/shapes.pt', files['geo/shapes.pt'].replace('x: 0', 'x: 7'));
  await world.project.refresh(signal);
  await world.uses.table(signal);
  assert.equal(before.usesIn('main.pt' as ProjectPath), main);
  world.disk.set('geo/shapes.pt', files['geo/shapes.pt'].replace('fn origin', 'fn start'));
  await world.project.refresh(signal);
  await world.uses.table(signal);
  assert.notEqual(before.usesIn('main.pt' as ProjectPath), main);
  assert.equal(before.usesIn('other.pt' as ProjectPath), other);
  assert.deepEqual(await world.usesOf('start'), []);
  world.disk.delete('main.pt');
  await world.project.refresh(signal);
  assert.equal((await world.uses.table(signal)).usesIn('main.pt' as ProjectPath), undefined);
});
