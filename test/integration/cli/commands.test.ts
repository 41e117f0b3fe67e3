import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type * as z from 'zod';
import { projectKinds } from '../../../src/setup/project-templates.ts';
import { renderCompletions, shells } from '../../../src/cli/shell/render-completions.ts';
import { renderManPage } from '../../../src/cli/shell/render-man-page.ts';
import { commandAnswers, FailedAnswer } from '../../../src/cli/table/answers.ts';
import { commandTable } from '../../../src/cli/table/command-table.ts';
import { helpText, overview } from '../../../src/cli/table/help-text.ts';
import { typeCommand, typeWithStudio } from '../../harness/command-line.ts';
import { until } from '../../harness/until.ts';

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'atlas-commands-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

for (const kind of projectKinds)
  test(`init creates a ${kind} that builds without a problem`, async t => {
    const cwd = folderFor(t);
    const made = await typeCommand(['init', 'game', '--kind', kind, '--skip-git', '--json'], { cwd });
    assert.equal(made.code, 0, made.out);
    const answer = JSON.parse(made.out) as { created: string[]; kept: string[]; git: string };
    assert.deepEqual([answer.kept, answer.git], [[], 'skipped']);
    for (const file of ['.gitignore', '.luaurc', 'default.project.json'])
      assert.ok(answer.created.includes(file), file);
    const output = `game.${kind === 'place' ? 'rbxl' : 'rbxm'}`;
    const built = await typeCommand(['build', 'game', '-o', output], { cwd });
    assert.deepEqual([built.code, built.err], [0, '']);
    assert.ok(existsSync(join(cwd, output)));
  });

test('init keeps files that exist, and refuses a second project', async t => {
  const cwd = folderFor(t);
  writeFileSync(join(cwd, '.gitignore'), 'mine\n');
  const first = await typeCommand(['init'], { cwd });
  assert.equal(first.code, 0);
  assert.match(first.err, /^note: kept \.gitignore, which exists$/m);
  assert.match(first.out, /^Created a place in \.: \d+ files and a git repository$/m);
  assert.equal(readFileSync(join(cwd, '.gitignore'), 'utf8'), 'mine\n');
  const second = await typeCommand(['init'], { cwd });
  assert.equal(second.code, 1);
  assert.match(second.err, /^error: a project already exists: .*default\.project\.json$/m);
});

test('init quotes names in its next command for the shell', async t => {
  const cwd = folderFor(t);
  const next = async (name: string) =>
    (await typeCommand(['init', '--skip-git', '--', name], { cwd })).out
      .split('\n')
      .find(line => line.startsWith('Next'));
  assert.equal(await next('game'), 'Next: cd game && atlas-bridge build --output game.rbxl');
  assert.equal(await next('my game #1'), 'Next: cd "my game #1" && atlas-bridge build --output "my game #1.rbxl"');
  assert.equal(await next('-x'), 'Next: cd ./-x && atlas-bridge build --output ./-x.rbxl');
});

test('names the current folder in an error', async t => {
  const cwd = folderFor(t);
  writeFileSync(join(cwd, 'main.pt'), 'fn main() {}\n');
  const { code, err } = await typeCommand(['pluto', 'compile', 'main.pt', '-o', '.'], { cwd });
  assert.equal(code, 1);
  assert.match(err, /^error: \. already exists, and is not an unchanged output of compile$/m);
});

test('fmt-project changes only white space, keeps comments, and checks without writing', async t => {
  const cwd = folderFor(t);
  const file = join(cwd, 'default.project.json');
  const messy = '{"name":"Game", // the name\n   "tree":{"$className":"DataModel",/* empty */"Workspace":{}}}';
  writeFileSync(file, messy);
  assert.equal((await typeCommand(['fmt-project', '--check'], { cwd })).code, 1);
  assert.equal(readFileSync(file, 'utf8'), messy);
  assert.equal((await typeCommand(['fmt-project'], { cwd })).code, 0);
  const formatted = readFileSync(file, 'utf8');
  assert.match(formatted, /^ {2}"name": "Game", \/\/ the name\n {2}"tree": \{\n {4}"\$className": "DataModel",/m);
  assert.equal(formatted.replaceAll(/\s/g, ''), messy.replaceAll(/\s/g, ''));
  assert.equal((await typeCommand(['fmt-project', '--check'], { cwd })).code, 0);
});

test('fmt-project leaves a text alone that it would change', async t => {
  const cwd = folderFor(t);
  const file = join(cwd, 'default.project.json5');
  const quoted = "{name: 'a  /* b', tree: {}}\n";
  writeFileSync(file, quoted);
  await typeCommand(['fmt-project'], { cwd });
  assert.equal(readFileSync(file, 'utf8').replaceAll(/\s/g, ''), quoted.replaceAll(/\s/g, ''));
  assert.match(readFileSync(file, 'utf8'), /'a {2}\/\* b'/);
});

test('fmt-project leaves a file alone that is not UTF-8', async t => {
  const cwd = folderFor(t);
  const file = join(cwd, 'default.project.json');
  const latin = Buffer.from('{"name":"caf\xE9","tree":{}}', 'latin1');
  writeFileSync(file, latin);
  const { code, err } = await typeCommand(['fmt-project'], { cwd });
  assert.equal(code, 1);
  assert.match(err, /^error: default\.project\.json:1:13: expected UTF-8 text; save the file with that encoding$/m);
  assert.deepEqual(readFileSync(file), latin);
});

test('build --plugin refuses the name of the plugin of Atlas Bridge, in any case', async t => {
  const cwd = folderFor(t);
  writeFileSync(join(cwd, 'default.project.json'), '{"name": "Lib", "tree": {"$className": "Folder"}}');
  await typeWithStudio(['plugin', 'install'], { cwd });
  const plugin = readFileSync(join(cwd, 'plugins/AtlasBridge.rbxmx'));
  for (const name of ['AtlasBridge.rbxmx', 'atlasbridge.rbxmx']) {
    const { code, err } = await typeWithStudio(['build', '--plugin', name], { cwd });
    assert.equal(code, 2, err);
    assert.match(err, /^error: invalid plugin name 'atlasbridge\.rbxmx' \(the file of Atlas Bridge's own plugin\)$/im);
  }
  assert.deepEqual(readFileSync(join(cwd, 'plugins/AtlasBridge.rbxmx')), plugin);
});

test('build --watch builds again after a change, also after an error', async t => {
  const cwd = folderFor(t);
  await typeCommand(['init', '--kind', 'model', '--skip-git'], { cwd });
  const source = join(cwd, 'src/init.luau');
  const counts = { builds: 0 };
  const run = typeCommand(['build', '--watch', '-o', 'm.rbxmx'], {
    cwd,
    until: out => (counts.builds = out.split('\n').filter(line => line.startsWith('Built')).length) === 2,
  });
  await until(() => counts.builds === 1);
  writeFileSync(source, 'return "changed"\n');
  assert.equal((await run).code, 0);
  assert.match(readFileSync(join(cwd, 'm.rbxmx'), 'utf8'), /return "changed"/);
});

test('the help, the man page and the completions have every command and option of the table', () => {
  const page = renderManPage(commandTable, '1.2.3');
  const scripts = shells.map(shell => renderCompletions(shell, commandTable));
  for (const spec of commandTable) {
    assert.ok(overview(commandTable).includes(`  ${spec.name} `), spec.name);
    assert.ok(page.includes(`.SS ${spec.name.replaceAll('-', String.raw`\-`)}\n`), spec.name);
    for (const script of scripts) assert.ok(script.includes(spec.name), spec.name);
    for (const option of Object.keys(spec.options)) {
      assert.ok(helpText(spec).includes(`--${option}`), `${spec.name} --${option}`);
      assert.ok(page.includes(`\\-\\-${option.replaceAll('-', String.raw`\-`)}`), `${spec.name} --${option}`);
      for (const script of scripts) assert.ok(script.includes(option), `${spec.name} --${option}`);
    }
  }
  for (const spec of commandTable)
    for (const line of helpText(spec).split('\n')) assert.ok(line.length <= 120, `${spec.name}: ${line}`);
});

const hasGroff = spawnSync('groff', ['--version']).status === 0;
test('groff formats the man page without a warning', { skip: hasGroff ? false : 'requires groff' }, () => {
  const input = renderManPage(commandTable, '1.2.3');
  const { stdout, stderr } = spawnSync('groff', ['-man', '-Tascii', '-ww', '-P-cbou'], { input, encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.match(stdout, /--non-interactive/);
  assert.doesNotMatch(stdout, /\w-\n/, 'no word is hyphenated');
  assert.doesNotMatch(stdout, /^ {7}\w.*\w {2,}\w/m, 'no line is stretched');
});

test('with --json every command prints one line of its documented schema', async t => {
  const cwd = folderFor(t);
  const answers = Object.entries<z.ZodType>(commandAnswers);
  const checked = new Set<string>();
  const check = async (name: string, line: string, schema = answers.find(([one]) => one === name)?.[1]) => {
    const args = [name, ...line.split(' '), '--json'].filter(arg => arg !== '');
    const run = name === 'plugin' ? typeWithStudio : typeCommand;
    const isServing = name === 'serve' && { until: (out: string) => out !== '' };
    const { out, err } = await run(args, { cwd, ...isServing });
    assert.ok(schema, name);
    assert.equal(out.split('\n').length, 1, `${name}: ${out}${err}`);
    schema.parse(JSON.parse(out));
    checked.add(name);
  };
  await check('init', '--skip-git');
  await check('build', '-o game.rbxl');
  await check('build', '-o game.rbxm');
  await check('build', 'missing -o game.rbxl', FailedAnswer);
  await check('syncback', '--input game.rbxl --dry-run');
  await check('sourcemap', '-o sourcemap.json');
  await check('fmt-project', '--check');
  await check('upload', '--asset-id 1 --universe-id 2');
  await check('sync', '--place game.rbxl');
  await check('restore', '');
  await check('restore', '--run none', FailedAnswer);
  await check('serve', '--port 0');
  await check('plugin', 'install');
  await check('doc', '');
  await check('completions', 'fish');
  await check('man', '');
  // Several lines: headless-studio/command-line.test.ts, game-tests/test-files.test.ts and pluto.test.ts check them. `mcp` prints messages of MCP.
  const others = ['headless', 'test', 'pluto', 'mcp'];
  for (const { name } of commandTable) assert.ok(checked.has(name) !== others.includes(name), name);
});

test('serve follows servePort and argon.toml, and names what has no effect', async t => {
  const cwd = folderFor(t);
  await typeCommand(['init', '--skip-git'], { cwd });
  writeFileSync(join(cwd, 'argon.toml'), 'port = 0\nhost = "0.0.0.0"\nwith_sourcemap = true\nbuild_xml = true\n');
  const { code, out, err } = await typeCommand(['serve'], {
    cwd,
    until: out => out.includes('Press Ctrl+C') && existsSync(join(cwd, 'sourcemap.json')),
  });
  assert.equal(code, 0);
  assert.doesNotMatch(out, /is taken/, 'port 0 is any port');
  assert.match(err, /^warning: host of argon\.toml '0\.0\.0\.0' is ignored: only this computer may connect/m);
  assert.match(err, /^note: these settings of argon\.toml have no effect: build_xml$/m);
  const holder = createServer();
  await new Promise<void>(resolve => holder.listen(0, '127.0.0.1', resolve));
  const { port } = holder.address() as AddressInfo;
  const file = join(cwd, 'default.project.json');
  const project = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...project, servePort: port, serveAddress: '0.0.0.0' }));
  const isReady = (text: string): boolean => text.includes('Press Ctrl+C');
  const taken = await typeCommand(['serve'], { cwd, until: isReady });
  assert.match(taken.out, new RegExp(`\\(port ${port} is taken\\)`));
  assert.match(taken.err, /^warning: serveAddress '0\.0\.0\.0' is ignored/m);
  writeFileSync(join(cwd, 'argon.toml'), 'port = 0\nhost = \n');
  const chosen = await typeCommand(['serve', '--port', '0'], { cwd, until: isReady });
  assert.match(chosen.err, /^warning: argon\.toml is ignored: line 2: expected /m);
  assert.doesNotMatch(chosen.out, /is taken/);
  holder.close();
});
