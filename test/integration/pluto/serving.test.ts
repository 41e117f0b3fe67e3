import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { plutoClient } from '../../harness/pluto-client.ts';

const files = { 'a.pluto': '// A.\npub fn f() int {\n    return 1\n}\n' };

test('lists modules as resources, and notifies subscribers of edits', async () => {
  await using pluto = await plutoClient(files);
  const { client } = pluto;
  const updated: string[] = [];
  const heard = Promise.withResolvers<void>();
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    updated.push(params.uri);
    if (updated.includes('pluto://modules/a.pluto')) heard.resolve();
  });
  const { resources } = await client.listResources();
  assert.deepEqual(
    resources.map(({ uri }) => uri),
    ['pluto://modules'],
  );
  await client.subscribeResource({ uri: 'pluto://modules/a.pluto' });
  const read = async (uri: string): Promise<string> => {
    const [content] = (await client.readResource({ uri })).contents;
    return content !== undefined && 'text' in content ? String(content.text) : '';
  };
  assert.match(await read('pluto://modules/a.pluto'), /"name": "f"/);
  await pluto.call('add_declaration', { path: 'a.pluto', source: 'fn g() {}' });
  await heard.promise;
  assert.match(await read('pluto://modules'), /"is_dirty": true/);
  assert.match(await read('pluto://source/a.pluto'), /fn g\(\) \{\}/);
  await assert.rejects(
    client.readResource({ uri: 'pluto://source/none.pluto' }),
    /PLUTO_MODULE_NOT_FOUND|no Pluto module/,
  );
});

test('offers no tool that changes something when the server is read-only', async () => {
  await using pluto = await plutoClient(files, ['--read-only']);
  const { tools } = await pluto.client.listTools();
  assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
  assert.ok(tools.some(({ name }) => name === 'check') && !tools.some(({ name }) => name === 'save'));
  assert.equal((await pluto.call('check'))['success'], true);
});

test('reports failures with a code, and leaves the file on disk untouched', async () => {
  await using pluto = await plutoClient(files);
  const [found] = await pluto.list('find_declaration', { name: 'f' });
  const id = found?.['id'];
  assert.equal(await pluto.refused('get_source', { path: '../a.pluto' }), 'PLUTO_MODULE_NOT_FOUND');
  assert.equal(await pluto.refused('get_declaration', { id: 'none' }), 'PLUTO_UNKNOWN_ID');
  assert.equal(await pluto.refused('replace_declaration', { id, source: 'fn f( {}' }), 'PLUTO_SOURCE_INVALID');
  assert.equal(await pluto.refused('create_module', { path: '../../x.pluto' }), 'PLUTO_PATH_INVALID');
  assert.equal(await pluto.refused('sync_pt', { path: 'none.pt' }), 'PLUTO_MODULE_NOT_FOUND');
  assert.equal(await pluto.refused('undo'), 'PLUTO_NOTHING_TO_UNDO');
  assert.equal((await pluto.call('save'))['outcome'], 'already');
  await pluto.call('add_declaration', { path: 'a.pluto', source: 'fn g() {}' });
  await pluto.write('a.pluto', 'fn theirs() {}\n');
  const { isError, structuredContent } = await pluto.client.callTool({ name: 'save', arguments: {} });
  assert.equal(isError, true);
  const { failed, outcome } = structuredContent as { failed: { error: { code: string } }[]; outcome: string };
  assert.deepEqual([failed[0]?.error.code, outcome], ['FILE_CHANGED', 'refused']);
  assert.equal((await pluto.read('a.pluto')).toString(), 'fn theirs() {}\n');
});

test('says that nothing is to be saved when an edit changes nothing', async () => {
  await using pluto = await plutoClient({ 'a.pluto': 'fn f() {}\n' });
  const [found] = await pluto.list('find_declaration', { name: 'f' });
  const id = found?.['id'];
  const same = await pluto.call('replace_declaration', { id, source: 'fn f() {}' });
  assert.deepEqual([same['outcome'], same['summary']], ['already', 'Nothing to change; no errors.']);
  const changed = await pluto.call('replace_declaration', { id, source: 'fn f() { print(1) }' });
  assert.equal(changed['summary'], 'Replaced in a.pluto; no errors. Not saved yet.');
  const undone = await pluto.call('undo');
  assert.deepEqual([undone['outcome'], undone['summary']], ['done', 'Reverted replace_declaration; no errors.']);
});

test('adds members, undoes edits and syncs views over MCP', async () => {
  await using pluto = await plutoClient({
    'a.pluto':
      'pub class P {\n    x: int\n}\n\npub error Bad {\n    why: string\n}\n\nfn make() P {\n    return P { x: 1 }\n}\n',
  });
  const idOf = async (name: string): Promise<unknown> => (await pluto.list('find_declaration', { name }))[0]?.['id'];
  const source = 'fn twice(self) int {\n    return self.x * 2\n}';
  const method = await pluto.call('add_method', { class_id: await idOf('P'), source });
  assert.deepEqual(method['diagnostics'], []);
  const field = await pluto.call('add_field', { target_id: await idOf('P'), name: 'y', type: 'int' });
  const problems = field['diagnostics'] as { severity: string }[];
  assert.ok(problems.some(({ severity }) => severity === 'error'));
  assert.deepEqual(
    (await pluto.list('constructors_of', { id: await idOf('P') })).map(one => one['source_snippet']),
    ['P { x: 1 }'],
  );
  assert.equal((await pluto.call('check', { path: 'a.pluto' }))['success'], false);
  assert.equal((await pluto.call('undo'))['undone'], 'add_field');
  const graph = await pluto.call('call_graph', { id: await idOf('make') });
  assert.deepEqual(graph['calls'], []);
  const uses = await pluto.list('usages_of', { id: await idOf('P') });
  assert.deepEqual(uses.map(one => String(one['usage_kind'])).toSorted(), ['construct', 'type_ref']);
  const analysis = await pluto.call('analyze', { path: 'a.pluto' });
  assert.deepEqual(analysis['stats'], { functions_analyzed: 2, error_sets_computed: 2 });
  await pluto.call('save');
  await pluto.call('generate_pt');
  const view = (await pluto.read('a.pt')).toString();
  await pluto.write('a.pt', view.replace('return self.x * 2', 'return self.x + self.x').replace('fn make', 'fn build'));
  const synced = await pluto.call('sync_pt', { path: 'a.pt' });
  assert.deepEqual(
    [synced['new_declarations'], synced['updated_declarations'], synced['deleted_declarations']],
    [0, 2, 0],
  );
  const printed = await pluto.call('pretty_print', { id: await idOf('build') });
  assert.equal(String(printed['source']).trim(), 'fn build() P {\n    return P { x: 1 }\n}');
  await pluto.call('create_module', { path: 'b.pluto', source: 'fn use() int {\n    return build().x\n}\n' });
  const broken = (await pluto.read('a.pt')).toString().replace('fn build', 'fn other');
  await pluto.write('a.pt', broken);
  const breaking = await pluto.call('sync_pt', { path: 'a.pt' });
  const found = breaking['diagnostics'] as readonly { file: string; severity: string }[];
  assert.deepEqual(
    found.filter(({ severity }) => severity === 'error').map(({ file }) => file),
    ['b.pluto'],
    'sync_pt reports what it broke in another module',
  );
  await pluto.write('a.pt', (await pluto.read('a.pt')).toString().replace('fn other', 'fn build'));
  await pluto.call('sync_pt', { path: 'a.pt' });
  const deleted = await pluto.call('delete_declaration', { id: await idOf('Bad') });
  assert.deepEqual([deleted['deleted'], deleted['dangling_references']], ['Bad', []]);
});
