import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ensureOldNodes, oldNodes } from '../../../scripts/set-up/old-nodes.ts';
import { commandJournal } from '../../../src/adapters/node/journal/known-journals.ts';
import { stateFolder } from '../../../src/adapters/node/state-folder.ts';
import { shippedPackages } from '../../../scripts/third-party-notices.ts';
import { renderToolSchemas } from '../../../scripts/tool-schemas.ts';
import { plutoTools } from '../../../src/pluto/tools/pluto-catalog.ts';
import { plutoClient } from '../../harness/pluto-client.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
interface Output {
  readonly bytes: number;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
}
type Metafiles = Record<string, { readonly outputs: Readonly<Record<string, Output>> }>;
/** The configuration is plain JavaScript, so its types are declared here. */
const { buildAll, loadedAtStart } = (await import(new URL('../../../esbuild.config.mjs', import.meta.url).href)) as {
  readonly buildAll: (release: boolean, outdir: string) => Promise<Metafiles>;
  readonly loadedAtStart: (metafiles: Metafiles, file: string) => readonly string[];
};

let dir = '';
let dist = '';
let metafiles: Metafiles = {};
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'atlas-bundle-'));
  dist = join(dir, 'dist');
  await cp(join(root, 'package.json'), join(dir, 'package.json'));
  metafiles = await buildAll(true, dist);
});
after(() => rm(dir, { recursive: true, force: true }));

/** Runs the built CLI with `input` on its standard input. */
function runCli(
  args: readonly string[],
  input = '',
  node = process.execPath,
  cache = join(dir, 'cache'),
): Promise<{ readonly code: number | null; readonly out: string }> {
  return new Promise((done, failed) => {
    const child = spawn(node, [join(dist, 'cli.js'), ...args], {
      stdio: 'pipe',
      // The variable of the test program would take precedence over the folder.
      env: {
        ...process.env,
        XDG_CACHE_HOME: cache,
        XDG_STATE_HOME: join(dir, 'state'),
        NODE_COMPILE_CACHE: undefined,
      },
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (out += String(chunk)));
    child.on('error', failed);
    child.on('close', code => done({ code, out }));
    child.stdin.end(input);
  });
}

test('the built CLI prints its version', async () => {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  assert.deepEqual(await runCli(['--version']), { code: 0, out: `${version}\n` });
});

test('the built CLI keeps its compiled code, and runs without it', async () => {
  const [cache, file] = [join(dir, 'cache-of-test'), join(dir, 'no-folder')];
  assert.equal((await runCli(['--version'], '', process.execPath, cache)).code, 0);
  assert.notDeepEqual(await readdir(join(cache, 'atlas-bridge', 'compiled')), []);
  await writeFile(file, '');
  assert.equal((await runCli(['--version'], '', process.execPath, file)).code, 0);
});

/** Prints the files and the modules of Node that a process and its threads load. */
const PRINT_LOADS = `data:text/javascript,${encodeURIComponent(
  "import { registerHooks } from 'node:module'; import { writeSync } from 'node:fs'; registerHooks({ load(url, context, next) { writeSync(2, url + '\\n'); return next(url, context); } }); process.on('exit', () => writeSync(2, process.moduleLoadList.join('\\n') + '\\n'));",
)}`;

test('the built CLI runs a program from a few files, and opens a journal with all of them', async () => {
  const project = join(dir, 'hello-project');
  await mkdir(project);
  await writeFile(join(project, 'hello.pt'), 'fn main() { print("hello") }');
  const env = { ...process.env, XDG_STATE_HOME: join(dir, 'hello-state'), NODE_COMPILE_CACHE: undefined };
  const run = (variables: Readonly<Record<string, string>> = {}) => {
    const args = ['--import', PRINT_LOADS, join(dist, 'cli.js'), 'pluto', 'run', join(project, 'hello.pt')];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...env, ...variables } });
    assert.equal(stdout, 'hello\n', stderr);
    return stderr.split('\n');
  };
  const lines = run();
  const loaded = lines.filter(line => line.includes('/dist/'));
  // They would be a tenth of the time of the program.
  assert.deepEqual(
    lines.filter(line => /^NativeModule (?:crypto|perf_hooks|v8|fs\/promises)$/.test(line)),
    [],
  );
  // And `pluto-run.cjs`, which is loaded with its compiled code.
  assert.ok(loaded.length <= 4, loaded.join('\n'));
  await mkdir(commandJournal(stateFolder(await realpath(project), env)), { recursive: true });
  assert.ok(run().some(url => /open-journal/.test(url)));
  await writeFile(join(project, 'broken.pt'), 'fn main() { print(1 + "one") }');
  // The thread that waits for a program ends too.
  const refused = await runCli(['pluto', 'run', join(project, 'broken.pt')]);
  assert.equal(refused.code, 1);
  assert.match(refused.out, /broken\.pt:1:\d+: error: /);
  const warnings = run({ ATLAS_BRIDGE_LOG: 'loud' }).filter(line => line.startsWith('warning: '));
  assert.equal(warnings.length, 1, warnings.join('\n'));
});

test('the bundled headless Studio runs Luau in a real place', async () => {
  const place = join(root, 'examples/places/baseplate-566.rbxlx');
  const input = `${JSON.stringify({ run: 'return workspace.Baseplate.ClassName' })}\n${JSON.stringify({ exit: true })}\n`;
  const { code, out } = await runCli(['headless', '--offline', '--json', '--place', place], input);
  assert.equal(code, 0, out);
  assert.match(out, /"Part"/);
});

test('the built CLI builds, compares, syncs back and runs Pluto on the oldest supported Node', async () => {
  await ensureOldNodes();
  const oldest = spawnSync(oldNodes.oldest, ['--version'], { encoding: 'utf8' }).stdout.trim();
  const { engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { engines: { node: string } };
  assert.equal(`>=${oldest.slice(1)}`, `${engines.node}.0`);
  const game = join(dir, 'old-node');
  await cp(join(root, 'examples/obby'), game, { recursive: true });
  // A loop, so that the program contains WebAssembly.
  await writeFile(
    join(game, 'main.pluto'),
    'fn main() int {\n    let mut n = 0\n    for i in 0..43 { n = i }\n    return n\n}\n',
  );
  const place = join(game, 'game.rbxl');
  const run = (...args: readonly string[]) => runCli(args, '', oldNodes.oldest);
  for (const [args, code] of [
    [['build', game, '-o', place], 0],
    [['sourcemap', game, '-o', join(game, 'sourcemap.json')], 0],
    [['syncback', game, '--input', place, '--dry-run'], 0],
    [['sync', game, '--place', place], 0],
    [['pluto', 'run', join(game, 'main.pluto')], 42],
    [['pluto', 'compile', join(game, 'main.pluto')], 0],
  ] as const) {
    const ended = await run(...args);
    assert.equal(ended.code, code, `${args.join(' ')}\n${ended.out}`);
  }
  assert.equal(spawnSync(oldNodes.oldest, [join(game, 'main.js')]).status, 42);
});

test('the built CLI and compiled programs refuse an unsupported Node in one line', async () => {
  await ensureOldNodes();
  const found = spawnSync(oldNodes.unsupported, ['--version'], { encoding: 'utf8' }).stdout.trim().slice(1);
  assert.deepEqual(await runCli(['build', join(root, 'examples/obby'), '-o', 'x.rbxl'], '', oldNodes.unsupported), {
    code: 1,
    out: `error: Atlas Bridge requires Node 22.15 or newer; this is Node ${found}\n`,
  });
  // As in Node 18.
  const withoutBuiltins = join(dir, 'without-builtins.cjs');
  await writeFile(
    withoutBuiltins,
    'delete process.getBuiltinModule; delete require("node:module").enableCompileCache;',
  );
  const cli = join(dist, 'cli.js');
  const oldest = spawnSync(oldNodes.unsupported, ['--require', withoutBuiltins, cli, 'build'], { encoding: 'utf8' });
  assert.match(oldest.stderr, /^error: Atlas Bridge requires Node 22\.15 or newer; .*\n$/);
  await writeFile(join(dir, 'main.pluto'), 'fn main() int { return 42 }\n');
  assert.equal((await runCli(['pluto', 'compile', join(dir, 'main.pluto')])).code, 0);
  const printed = await runCli(['pluto', 'compile', join(dir, 'main.pluto'), '-o', '-']);
  assert.deepEqual([printed.code, printed.out], [0, await readFile(join(dir, 'main.js'), 'utf8')]);
  const program = spawnSync(oldNodes.unsupported, [join(dir, 'main.js')], { encoding: 'utf8' });
  assert.deepEqual(
    [program.status, program.stderr],
    [1, `error: this program requires Node 22.15 or newer; this is Node ${found}\n`],
  );
});

/** Returns the sources in `file` and in the files that it loads at startup. */
function sourcesOf(file: string): readonly string[] {
  const loaded = new Set(loadedAtStart(metafiles, file));
  return Object.values(metafiles)
    .flatMap(metafile => Object.entries(metafile.outputs))
    .flatMap(([path, { inputs }]) => (loaded.has(basename(path)) ? Object.keys(inputs) : []));
}

test('the extension contains no virtual machine, Pluto runtime or webview code', () => {
  const inputs = sourcesOf('extension.js');
  assert.ok(inputs.includes('src/extension.ts'));
  assert.deepEqual(
    inputs.filter(input => /luau-web|preact|src\/webview|src\/cli|pluto\/program/.test(input)),
    [],
  );
});

test('the extension loads in small chunks', () => {
  const outputs = new Map(
    Object.values(metafiles).flatMap(metafile =>
      Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]),
    ),
  );
  const loaded = new Set<string>();
  const pieces = (outputs.get('extension.js')?.imports ?? [])
    .filter(({ kind }) => kind === 'dynamic-import')
    .map(({ path }) => {
      const files = loadedAtStart(metafiles, basename(path)).filter(name => outputs.has(name) && !loaded.has(name));
      for (const name of files) loaded.add(name);
      return { piece: basename(path), bytes: files.reduce((sum, name) => sum + (outputs.get(name)?.bytes ?? 0), 0) };
    });
  assert.ok(pieces.length > 5, JSON.stringify(pieces));
  assert.deepEqual(
    pieces.filter(({ bytes }) => bytes > 320e3),
    [],
  );
  const large = [...loaded].filter(file => (outputs.get(file)?.bytes ?? 0) > 60e3);
  // One module, which cannot be divided.
  const isRe2js = (input: string): boolean => input.includes('node_modules/re2js/');
  assert.deepEqual(
    large.filter(file => !Object.keys(outputs.get(file)?.inputs ?? {}).some(isRe2js)),
    [],
  );
});

test('[P6] no program reads `navigator`, which VS Code reports as an error of the extension', async () => {
  const programs = (await readdir(dist)).filter(name => /\.c?js$/.test(name) && !/^(?:review|card)\./.test(name));
  assert.ok(programs.length > 100, String(programs.length));
  assert.deepEqual(
    programs.filter(name => /\bnavigator\b/.test(readFileSync(join(dist, name), 'utf8'))),
    [],
  );
});

test('[P6] the last piece of the extension does not look for files again that are loaded', () => {
  const outputs = new Map(
    Object.entries(metafiles['programs']?.outputs ?? {}).map(([path, output]) => [basename(path), output]),
  );
  const importsOf = (file: string, kind: string): readonly string[] =>
    (outputs.get(file)?.imports ?? []).flatMap(one => {
      const name = basename(one.path);
      return one.kind === kind && outputs.has(name) ? [name] : [];
    });
  const last = importsOf('extension.js', 'dynamic-import').at(-1) ?? '';
  assert.match(last, /^activate-/);
  assert.doesNotMatch(readFileSync(join(dist, last), 'utf8'), /\bimport\s*"/);
  const start = readFileSync(join(dist, 'extension.js'), 'utf8');
  const needed = importsOf(last, 'import-statement');
  assert.ok(needed.length > 50, String(needed.length));
  assert.deepEqual(
    needed.filter(file => !start.includes(file)),
    [],
    'files that no piece loads before',
  );
});

test('[P6] the extension creates the schemas of at most 9 files in a turn of its start', async () => {
  const outputs = new Map(
    Object.entries(metafiles['programs']?.outputs ?? {}).map(([path, output]) => [basename(path), output]),
  );
  const counts = loadedAtStart(metafiles, 'extension.js').map(file => {
    const sources = Object.keys(outputs.get(file)?.inputs ?? {}).filter(input => input.startsWith('src/'));
    const withSchemas = sources.filter(source =>
      /^import .* from 'zod';$/m.test(readFileSync(join(root, source), 'utf8')),
    );
    return { file, count: withSchemas.length };
  });
  assert.ok(
    counts.some(({ count }) => count > 3),
    'the count works',
  );
  assert.deepEqual(
    counts.filter(({ count }) => count > 9),
    [],
  );
});

test('[P6] the extension loads the largest parts of zod and of the MCP SDK in several turns of its start', () => {
  const outputs = Object.entries(metafiles['programs']?.outputs ?? {});
  const started = new Set(loadedAtStart(metafiles, 'extension.js'));
  const filesWith = (input: RegExp): readonly number[] =>
    outputs
      .filter(([path, { inputs }]) => started.has(basename(path)) && Object.keys(inputs).some(one => input.test(one)))
      .map(([, { bytes }]) => bytes);
  assert.equal(filesWith(/sdk\/dist\/esm\/types\.js/).length, 3);
  assert.ok(Math.max(...filesWith(/node_modules\/zod\//)) < 50e3, String(filesWith(/node_modules\/zod\//)));
});

test('[P6] the programs read the schemas of their tools from a file instead of creating them', async () => {
  assert.equal(await readFile(join(dist, 'tool-schemas.jsonl'), 'utf8'), renderToolSchemas());
  const programs = (await readdir(dist)).filter(name => /\.c?js$/.test(name));
  assert.deepEqual(
    programs.filter(name => readFileSync(join(dist, name), 'utf8').includes('target:"draft-7"')),
    [],
  );
  await using pluto = await plutoClient({}, [], join(dist, 'cli.js'));
  const { tools } = await pluto.client.listTools();
  assert.deepEqual(
    tools.map(({ name, inputSchema }) => [name, inputSchema]),
    plutoTools.map(({ listing }) => [listing.name, listing.inputSchema]),
  );
});

test('ships no file that only divides other files', async () => {
  assert.deepEqual(
    (await readdir(dist)).filter(name => name.startsWith('divider')),
    [],
  );
});

test('does not ship the packages that the MCP SDK needs for forms only', () => {
  const inputs = [...sourcesOf('extension.js'), ...sourcesOf('cli.js')];
  assert.ok(inputs.some(input => input.includes('ajv-provider')));
  assert.deepEqual(
    inputs.filter(input => /node_modules\/(ajv|ajv-formats|fast-uri)\//.test(input)),
    [],
  );
});

test('the webview contains no schemas and no Node code', () => {
  const inputs = sourcesOf('review.js');
  assert.ok(inputs.includes('src/webview/review/main.tsx'));
  assert.deepEqual(
    inputs.filter(
      input =>
        !/^src\/webview\/|^src\/protocol\/(deletion|path-name|row-choices|value-text)\.ts$|^node_modules\/(preact|@preact)\//.test(
          input,
        ),
    ),
    [],
  );
});

test('the files that are read at run time are next to the bundles', async () => {
  const files = await readdir(dist);
  for (const file of [
    'extension.js',
    'cli.js',
    'headless-worker.js',
    'game-test-worker.js',
    'review.js',
    'review.css',
    'card.html',
    'reflection.json',
    'tool-schemas.jsonl',
    'AtlasBridge.rbxmx',
    'third-party-notices.txt',
    'luau',
  ])
    assert.ok(files.includes(file), file);
  assert.deepEqual((await readdir(join(dist, 'luau'))).toSorted(), ['headless', 'plugin', 'tests']);
});

test('the notices list exactly the shipped packages with their licenses', async () => {
  const notices = await readFile(join(dist, 'third-party-notices.txt'), 'utf8');
  for (const name of ['zod', 'preact', 'luau-web', 'saxes', '@modelcontextprotocol/sdk'])
    assert.match(notices, new RegExp(`^${name} \\d`, 'm'));
  assert.doesNotMatch(notices, /^(esbuild|typescript|playwright-core) \d/m);
});

test('rejects a package with a license that is not reviewed', async () => {
  const folder = join(dir, 'node_modules', 'odd');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'odd', version: '1.0.0', license: 'GPL-3.0' }));
  assert.throws(
    () => shippedPackages(dir, ['node_modules/odd/index.js']),
    /odd 1\.0\.0 has the unknown license GPL-3\.0/,
  );
});

test('compiles a Pluto program to one file that node runs as a script or a module', async () => {
  const main =
    'import std.io\nimport std.math\n\nfn main() int {\n    print(f"hello {io.read_line()}")\n    return math.pow(2, 5) + 10\n}\n';
  await using pluto = await plutoClient({ 'main.pluto': main, 'mine.js': 'mine' }, [], join(dist, 'cli.js'));
  assert.equal((await pluto.call('run', { path: 'main.pluto', stdin: 'thread' }))['stdout'], 'hello thread\n');
  const compiled = await pluto.call('compile', { path: 'main.pluto' });
  assert.deepEqual([compiled['success'], compiled['output_path'], compiled['outcome']], [true, 'main.js', 'done']);
  assert.equal((await pluto.call('compile', { path: 'main.pluto' }))['outcome'], 'already');
  const names = ['program.cjs', 'program.mjs'];
  for (const output of names) await pluto.call('compile', { path: 'main.pluto', output });
  const away = await mkdtemp(join(dir, 'away-'));
  for (const name of ['main.js', ...names]) {
    await writeFile(join(away, name), await pluto.read(name));
    const ran = spawnSync(process.execPath, [name], { cwd: away, input: 'wörld\n', encoding: 'utf8' });
    assert.deepEqual([ran.status, ran.stdout, ran.stderr], [42, 'hello wörld\n', ''], name);
  }

  assert.equal(await pluto.refused('compile', { path: 'main.pluto', output: 'mine.js' }), 'PLUTO_OUTPUT_FOREIGN');
  assert.equal((await pluto.read('mine.js')).toString(), 'mine');
  await pluto.write('main.js', (await pluto.read('main.js')).toString().replace('hello', 'goodbye'));
  assert.equal(
    await pluto.refused('compile', { path: 'main.pluto' }),
    'PLUTO_OUTPUT_FOREIGN',
    'the file was changed after it was compiled',
  );
  for (const output of ['main.pluto', 'out.txt', '../out.js'])
    assert.equal(await pluto.refused('compile', { path: 'main.pluto', output }), 'PLUTO_PATH_INVALID');
  await pluto.write('fails.pluto', 'fn main() { print([1][1]) }\n');
  const cli = await runCli(['pluto', 'run', join(pluto.folder, 'fails.pluto')]);
  assert.deepEqual(cli, { code: 1, out: 'pluto: array index out of bounds: index 1, length 1\n  at fails.pluto:1\n' });
  const to = join(away, 'deep', 'fails.js');
  assert.equal((await runCli(['pluto', 'compile', join(pluto.folder, 'fails.pluto'), '-o', to])).code, 0);
  const failed = spawnSync(process.execPath, [to], { encoding: 'utf8' });
  assert.deepEqual([failed.status, failed.stderr], [1, cli.out], 'the position is reported without the modules too');
  const large = 'let mut s = "abcdefgh"\n for i in 0..22 { s += s }\n let mut all: [string] = []\n';
  const endless = 'for i in 0..1000000 {\n all.push(f"{s}{i}")\n if all[i].contains("?") { print(i) }\n }\n';
  await pluto.write('hungry.pluto', `fn main() {\n${large}${endless}}\n`);
  assert.equal((await runCli(['pluto', 'compile', join(pluto.folder, 'hungry.pluto'), '-o', to])).code, 0);
  const hungry = spawnSync(process.execPath, ['--max-old-space-size=200', to], { encoding: 'utf8' });
  assert.deepEqual([hungry.status, hungry.stderr], [1, 'pluto: out of memory\n'], 'no text of the engine');
});
