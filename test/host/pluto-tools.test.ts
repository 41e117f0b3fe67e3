import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { plutoTools } from '../../src/pluto/tools/pluto-catalog.ts';
import { containerOf } from '../harness/pluto-container.ts';
import { geo } from '../harness/pluto-geo.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { type ToolCalls, toolCalls } from './harness/tool-calls.ts';
import { vsCodeAgent } from './harness/vscode-agent.ts';

const main = `import geo

fn main() {
    let p = geo.origin(false) catch err { return }
    print(f"x is {p.x}")
}

test "the origin is at zero" {
    let p = geo.origin(false) catch err { return }
    expect(p.x).to_equal(0)
}
`;

let dir = '';
let vscode: RunningVsCode;
let tools: ToolCalls;

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-pluto-tools-'));
  mkdirSync(join(dir, 'lib'));
  writeFileSync(join(dir, 'geo.pluto'), containerOf(geo));
  vscode = await startVsCode({ hasChat: true, folder: dir, settings: { 'atlas.port': 0 } });
  tools = toolCalls(vsCodeAgent(vscode), plutoTools);
});
after(async () => {
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

const text = (name: string): string => readFileSync(join(dir, name), 'utf8');

test('answers every Pluto tool in the chat of VS Code', async () => {
  const { call, holds, assertAllCalled } = tools;
  // No file in the folder activates the extension. Opening the chat would activate it too.
  await vscode.driver.call('execute', { command: 'atlas.doctor', args: [{ quiet: true }] });
  const idOf = async (name: string): Promise<string> => {
    const { result } = await call('find_declaration', { name });
    const [found] = result as readonly { readonly id: string }[];
    return found?.id ?? assert.fail(`nothing is called ${name}`);
  };
  await holds('create_module', { path: 'main.pluto', source: main }, /"path":"main\.pluto"/);
  await holds('list_modules', {}, /"path":"geo\.pluto".*"path":"main\.pluto"/);
  await holds('list_declarations', { path: 'geo.pluto' }, /Point.*TooFar.*origin/);
  await holds('get_source', { path: 'main.pluto' }, /geo\.origin\(false\)/);
  const origin = await idOf('origin');
  const point = await idOf('Point');
  await holds('get_declaration', { id: origin }, /"is_fallible":true/);
  await holds('callers_of', { id: origin }, /"caller_name":"main"/);
  await holds('constructors_of', { id: point }, /"function_name":"origin"/);
  await holds('usages_of', { id: origin }, /"usage_kind":"call"/);
  await holds('error_set', { id: origin }, /TooFar/);
  await holds('call_graph', { id: await idOf('main') }, /"callee_name":"origin"/);
  await holds('pretty_print', { id: origin }, /fn origin/);

  const double = 'pub fn double(n: int) int {\n    return n + n\n}';
  const { id } = await call('add_declaration', { path: 'geo.pluto', source: double });
  await holds('replace_declaration', { id, source: double.replace('n + n', 'n * 2') }, /"id"/);
  await holds('rename_declaration', { id, new_name: 'twice' }, /"new_name":"twice"/);
  await holds('create_module', { path: 'lib/numbers.pluto' }, /"path":"lib\/numbers\.pluto"/);
  await holds('move_declaration', { id, path: 'lib/numbers.pluto' }, /"to":"lib\/numbers\.pluto"/);
  await holds('delete_declaration', { id }, /"deleted":"twice"/);
  await holds('undo', {}, /"undone":"delete_declaration"/);
  await holds('add_field', { target_id: point, name: 'y', type: 'int' }, /"id"/);
  await holds('undo', {}, /"undone":"add_field"/);
  await holds('add_method', { class_id: point, source: 'fn left(self) int {\n    return self.x - 1\n}' }, /"id"/);
  assert.deepEqual(await call('check', {}), { success: true, diagnostics: [] });
  await holds('test', { path: 'main.pluto' }, /"passed":1,"failed":0/);
  await holds('run', { path: 'main.pluto' }, /"exit_code":0,"stdout":"x is 0\\n"/);
  await holds('compile', { path: 'main.pluto' }, /"output_path":"main\.js"/);
  assert.match(text('main.js'), /^#!.*\n\/\/ Made by Atlas Bridge/);
  await holds('analyze', { path: 'geo.pluto' }, /"success":true/);
  await holds('save', {}, /"saved":\[.*numbers\.pluto/);

  await holds('generate_pt', { path: 'geo.pluto' }, /"pt_path":"geo\.pt"/);
  writeFileSync(join(dir, 'geo.pt'), text('geo.pt').replace('self.x - 1', 'self.x - 2'));
  await holds('sync_pt', { path: 'geo.pt' }, /"status":"synced"/);
  await holds('get_source', { path: 'geo.pluto' }, /self\.x - 2/);
  assertAllCalled();
});
