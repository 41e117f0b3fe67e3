import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plutoClient } from '../../harness/pluto-client.ts';

const shapes = 'pub class Vector {\n    x: float\n\n    fn length(self) float {\n        return self.x\n    }\n}\n';

test('accepts every unambiguous spelling of paths, ids and names', async () => {
  await using pluto = await plutoClient({ 'math/shapes.pluto': shapes, 'main.pluto': 'fn main() {}\n' });
  for (const path of ['./math/shapes.pluto', 'math//shapes.pluto', 'math/../math/shapes.pluto', 'math\\shapes.pluto'])
    assert.equal((await pluto.call('get_source', { path }))['source'], shapes, path);
  for (const path of ['../math/shapes.pluto', '/math/shapes.pluto', 'math'])
    assert.equal(await pluto.refused('get_source', { path }), 'PLUTO_MODULE_NOT_FOUND', path);
  assert.equal((await pluto.call('create_module', { path: './math/more.pluto' }))['path'], 'math/more.pluto');

  const [vector] = await pluto.list('find_declaration', { name: 'Vector' });
  const id = String(vector?.['id']);
  assert.equal((await pluto.call('get_declaration', { id: id.toUpperCase() }))['id'], id);

  const [byName] = await pluto.list('find_declaration', { name: 'length' });
  assert.deepEqual(await pluto.list('find_declaration', { name: 'Vector.length' }), [byName]);
  assert.deepEqual([byName?.['name'], byName?.['kind']], ['Vector.length', 'method']);
  assert.deepEqual(await pluto.list('find_declaration', { name: 'Other.length' }), []);

  await assert.rejects(pluto.call('get_source', { path: 'main.pluto', id }), (error: Error) =>
    error.message.includes(`path: ${id} is in math/shapes.pluto`),
  );
});

test('merges changes of an agent into a view with a license above its first line', async () => {
  await using pluto = await plutoClient({ 'a.pluto': 'fn mine() int {\n    return 1\n}\n\nfn other() {}\n' });
  await pluto.call('generate_pt', { path: 'a.pluto' });
  const [mine] = await pluto.list('find_declaration', { name: 'mine' });
  await pluto.call('replace_declaration', { id: mine?.['id'], source: 'fn mine() int {\n    return 2\n}' });
  await pluto.call('save');
  const view = (await pluto.read('a.pt')).toString();
  await pluto.write('a.pt', `// license\n\n${view.replace('fn other() {}', 'fn other() {\n    print(1)\n}')}`);
  await pluto.call('sync_pt', { path: './a.pt' });
  const { source } = await pluto.call('get_source', { path: 'a.pluto' });
  assert.match(String(source), /return 2/);
  assert.match(String(source), /print\(1\)/);
  assert.match(String(source), /^\/\/ license\n\nfn mine/);
});

test('includes callers through a trait in the callers of a method', async () => {
  await using pluto = await plutoClient({
    'main.pluto': `trait Shape {
    fn area(self) int
}

trait Flat {
    fn area(self) int
}

class Square impl Shape {
    side: int

    fn area(self) int {
        return self.side
    }
}

fn measure(s: Shape) int {
    return s.area()
}

fn flatten(f: Flat) int {
    return f.area()
}

fn main() {
    let square = Square { side: 2 }
    print(square.area() + measure(square))
}
`,
  });
  const [, , ofSquare] = await pluto.list('find_declaration', { name: 'area' });
  assert.equal(ofSquare?.['name'], 'Square.area');
  const callers = await pluto.list('callers_of', { id: ofSquare?.['id'] });
  assert.deepEqual(
    callers.map(one => [one['caller_name'], one['source_snippet'], one['through']]),
    [
      ['measure', 's.area()', 'Shape.area'],
      ['main', 'square.area()', undefined],
    ],
  );
});
