import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plutoClient } from '../../harness/pluto-client.ts';

const project = {
  'math/vectors.pluto': `// Vectors in space.
pub class Vector {
    x: float
    y: float
    z: float
}

// The product that is a number.
pub fn dot_product(a: Vector, b: Vector) float {
    return a.x * b.x + a.y * b.y + a.z * b.z
}
`,
  'math/angles.pluto': `import vectors

// Not an angle yet.
pub fn compute_angle(a: vectors.Vector, b: vectors.Vector) float {
    return vectors.dot_product(a, b)
}
`,
  'main.pluto': `import math.vectors
import auth

fn main() {
    let v = vectors.Vector { x: 1.0, y: 2.0, z: 3.0 }
    print(vectors.dot_product(v, v))
    let user = auth.login("ann", "secret") catch (auth.User { name: "anonymous" })
    print(user.name)
}
`,
  'auth.pluto': `pub error AuthError {
    reason: string
}

pub error NotFound {
    name: string
}

pub class User {
    name: string
}

fn find(name: string) User {
    if name == "" {
        raise NotFound { name: name }
    }
    return User { name: name }
}

pub fn login(username: string, password: string) User {
    let user = find(username)!
    if password == "" {
        raise AuthError { reason: "no password" }
    }
    return user
}

test "login gives the user" {
    let user = login("ann", "secret") catch (User { name: "anonymous" })
    expect(user.name).to_equal("ann")
}

test "login needs a name" {
    let user = login("", "secret") catch (User { name: "anonymous" })
    expect(user.name).to_equal("anonymous")
}

test "login needs a password of three letters" {
    let user = login("ann", "no") catch (User { name: "anonymous" })
    print(f"it is {user.name}")
    expect(user.name).to_equal("anonymous")
}

test "find gives the user" {
    let user = find("ann") catch (User { name: "anonymous" })
    expect(user.name).to_equal("ann")
}
`,
};

test('adds a function, saves it and generates its view', async () => {
  await using pluto = await plutoClient(project);
  const declared = await pluto.list('list_declarations', { path: 'math/vectors.pluto' });
  assert.deepEqual(
    declared.map(({ name, kind, is_pub, signature }) => [name, kind, is_pub, signature]),
    [
      ['Vector', 'class', true, 'class Vector'],
      ['dot_product', 'function', true, 'fn dot_product(a: Vector, b: Vector) float'],
    ],
  );
  const [vector, dot] = declared;
  const about = await pluto.call('get_declaration', { id: vector?.['id'] });
  assert.deepEqual(
    (about['fields'] as { name: string; type: string }[]).map(({ name, type }) => `${name}: ${type}`),
    ['x: float', 'y: float', 'z: float'],
  );
  assert.match(String((await pluto.call('get_declaration', { id: dot?.['id'] }))['source']), /^pub fn dot_product/);
  const added = await pluto.call('add_declaration', {
    path: 'math/vectors.pluto',
    source:
      'pub fn cross_product(a: Vector, b: Vector) Vector {\n    return Vector { x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x }\n}',
    position: `after:${String(dot?.['id'])}`,
  });
  assert.deepEqual(added['diagnostics'], []);
  assert.deepEqual(await pluto.call('check'), { success: true, diagnostics: [] });
  assert.equal((await pluto.read('math/vectors.pluto')).toString().includes('cross_product'), false);
  const saved = await pluto.call('save');
  assert.deepEqual([saved['saved'], saved['outcome']], [['math/vectors.pluto'], 'done']);
  const { generated } = await pluto.call('generate_pt', { path: 'math/vectors.pluto' });
  assert.deepEqual(generated, [{ pluto_path: 'math/vectors.pluto', pt_path: 'math/vectors.pt' }]);
  const view = (await pluto.read('math/vectors.pt')).toString();
  assert.match(view, new RegExp(`// @uuid: ${String(added['id'])} [0-9a-f]{12}\npub fn cross_product`));
  assert.match(view, /\/\/ The product that is a number\.\n/);
  await using second = await pluto.again();
  const [found] = await second.list('find_declaration', { name: 'cross_product' });
  assert.equal(found?.['id'], added['id']);
});

test('renames a function everywhere', async () => {
  await using pluto = await plutoClient(project);
  const [found] = await pluto.list('find_declaration', { name: 'dot_product' });
  assert.equal(found?.['module'], 'math/vectors.pluto');
  const id = found['id'];
  const callers = await pluto.list('callers_of', { id });
  assert.deepEqual(
    callers.map(one => [one['caller_name'], one['module'], one['source_snippet']]),
    [
      ['main', 'main.pluto', 'vectors.dot_product(v, v)'],
      ['compute_angle', 'math/angles.pluto', 'vectors.dot_product(a, b)'],
    ],
  );
  const renamed = await pluto.call('rename_declaration', { id, new_name: 'inner_product' });
  assert.deepEqual(
    [renamed['id'], renamed['old_name'], renamed['new_name'], renamed['references_updated']],
    [id, 'dot_product', 'inner_product', 2],
  );
  assert.equal((await pluto.call('check'))['success'], true);
  assert.deepEqual((await pluto.call('save'))['saved'], ['main.pluto', 'math/angles.pluto', 'math/vectors.pluto']);
  await using second = await pluto.again();
  assert.equal((await second.list('find_declaration', { name: 'inner_product' }))[0]?.['id'], id);
  const { source } = await second.call('get_source', { path: 'math/angles.pluto' });
  assert.equal(source, project['math/angles.pluto'].replace('dot_product', 'inner_product'));
});

test('inspects a function, its callers and errors, and repairs it', async () => {
  await using pluto = await plutoClient(project);
  const [found] = await pluto.list('find_declaration', { name: 'login', kind: 'function' });
  const id = found?.['id'];
  const about = await pluto.call('get_declaration', { id });
  assert.deepEqual(about['signature'], {
    params: [
      { name: 'username', type: 'string' },
      { name: 'password', type: 'string' },
    ],
    return_type: 'User',
    is_fallible: true,
  });
  const callers = await pluto.list('callers_of', { id });
  assert.deepEqual(
    callers.map(one => one['caller_name']),
    ['login gives the user', 'login needs a name', 'login needs a password of three letters', 'main'],
  );
  const errors = await pluto.list('error_set', { id });
  assert.deepEqual(
    errors.map(one => one['name']),
    ['AuthError', 'NotFound'],
  );
  const tests = { path: 'auth.pluto', filter: 'login' };
  const before = await pluto.call('test', tests);
  assert.deepEqual([before['success'], before['passed'], before['failed']], [false, 2, 1]);
  assert.deepEqual((before['results'] as readonly object[])[2], {
    name: 'login needs a password of three letters',
    passed: false,
    output: 'it is ann\nFAIL (line 41): expected "ann" to equal "anonymous"\n',
  });
  const source = String(about['source']).replace('password == ""', 'password.len() < 3');
  const replaced = await pluto.call('replace_declaration', { id, source });
  assert.deepEqual([replaced['id'], replaced['diagnostics']], [id, []]);
  const { success, passed, failed, summary } = await pluto.call('test', tests);
  assert.deepEqual([success, passed, failed], [true, 3, 0]);
  assert.equal(summary, '3 tests passed, 0 failed. Unsaved edits were included (auth.pluto).');
  assert.deepEqual((await pluto.call('save'))['saved'], ['auth.pluto']);
});
