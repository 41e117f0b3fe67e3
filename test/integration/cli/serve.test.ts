import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { detailsOf, FakePlugin } from '../../harness/fake-plugin.ts';
import { callTool, connectClient } from '../../harness/mcp-client.ts';
import { runCli, runCliIn } from '../../harness/run-cli.ts';

async function projectFolder(files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'atlas-project-'));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
const harbor = {
  'default.project.json': JSON.stringify({
    name: 'harbor',
    tree: { $className: 'DataModel', ServerScriptService: { $className: 'ServerScriptService', $path: 'src' } },
  }),
  'src/Boot.server.luau': 'print(1)\n',
  'src/Sum.spec.luau': 'return function() it("adds", function() expect(1 + 1).to.equal(3) end) end',
};
type FirstLine = Record<
  'studioUrl' | 'mcpUrl' | 'tokenFile' | 'sessionId' | 'projectName' | 'plugin' | 'dialect',
  string
>;
const quietly = ['--port', '0', '--allow-unpaired', '--json'];

test('prints all addresses with serve --json, serves agents and Studio, and stops on request', async () => {
  await using project = await projectFolder(harbor);
  await using cli = await runCli('serve', project.folder, '--port', '0', '--json');
  const line = JSON.parse(await cli.firstLine()) as FirstLine;
  const keys = ['studioUrl', 'mcpUrl', 'tokenFile', 'sessionId', 'projectName', 'plugin', 'dialect'];
  assert.deepEqual(Object.keys(line), keys);
  assert.deepEqual([line.projectName, line.dialect], ['harbor', 'atlas']);
  assert.equal((await stat(line.tokenFile)).mode & 0o777, 0o600);
  assert.equal((await fetch(`${line.studioUrl}/api/rojo`)).status, 200);
  {
    await using connected = await connectClient(line.mcpUrl, (await readFile(line.tokenFile, 'utf8')).trim());
    const { answer } = await callTool(connected.client, 'atlas_sync', { mode: 'dryrun' });
    assert.equal(answer['status'], 'not_connected');
    const tested = (await callTool(connected.client, 'run_tests', { filter: 'adds' })).answer;
    assert.equal(tested['summary'], '1 test in 1 file: 0 passed, 1 failed, 0 skipped.');
    assert.match(JSON.stringify(tested['tests']), /"stack":\[\{"file":"src\/Sum\.spec\.luau","line":1\}\]/);
  }
  cli.process.kill('SIGTERM');
  assert.equal(await cli.exit, 0);
  assert.equal(cli.out.length, 1);
  assert.ok(cli.err.some(text => text.includes('bridge stopped')));
});

test('fails when the bridge cannot be announced to other programs', async () => {
  await using project = await projectFolder(harbor);
  const state = await mkdtemp(join(tmpdir(), 'atlas-state-'));
  await mkdir(join(state, 'atlas-bridge'));
  await writeFile(join(state, 'atlas-bridge/bridges'), 'a file instead of the folder');
  await using cli = await runCliIn(state, 'serve', project.folder, '--port', '0', '--json');
  assert.equal(await cli.exit, 1);
  assert.ok(cli.err.some(text => text.includes('bridge stopped')));
});

test('refuses a Studio without pairing unless --allow-unpaired is set, for any workspace setting', async () => {
  await using project = await projectFolder({
    ...harbor,
    '.vscode/settings.json': '{ "atlas.studio.unpaired": "allow" }',
  });
  await using cli = await runCli('serve', project.folder, '--port', '0', '--plugin', 'rojo', '--json');
  const { studioUrl } = JSON.parse(await cli.firstLine()) as FirstLine;
  const answer = await new FakePlugin(studioUrl).get(`/api/read/${'0'.repeat(32)}`);
  assert.equal(answer.status, 403);
  assert.match(detailsOf(answer), /start the bridge with --allow-unpaired to connect it/);
});

test('greets the plugin of Rojo with serve --plugin rojo', async () => {
  await using project = await projectFolder(harbor);
  await using cli = await runCli('serve', project.folder, ...quietly, '--plugin', 'rojo');
  const line = JSON.parse(await cli.firstLine()) as FirstLine;
  assert.deepEqual([line.plugin, line.dialect], ['rojo', 'rojo']);
  await using plugin = new FakePlugin(line.studioUrl);
  await plugin.connect();
  assert.equal(plugin.info.protocolVersion, 5);
  assert.deepEqual(
    cli.err.filter(text => text.startsWith('note: ')),
    [],
  );
  cli.process.kill('SIGTERM');
  assert.equal(await cli.exit, 0);
});

test('reads the project with --dialect, and chooses the plugin with a note without --plugin', async () => {
  const named = (name: string) => JSON.stringify({ name, tree: { $className: 'Folder' } });
  const files = { 'default.project.json5': named('Atlas harbor'), 'default.project.json': named('Rojo harbor') };
  await using project = await projectFolder(files);
  for (const [args, plugin, name, notes] of [
    [['--plugin', 'atlas'], 'atlas', 'Atlas harbor', 0],
    [['--plugin', 'atlas', '--dialect', 'rojo'], 'atlas', 'Rojo harbor', 0],
    [['--dialect', 'atlas'], 'atlas', 'Atlas harbor', 1],
  ] as const) {
    await using cli = await runCli('serve', project.folder, ...quietly, ...args);
    const line = JSON.parse(await cli.firstLine()) as FirstLine;
    assert.deepEqual([line.plugin, line.projectName], [plugin, name], args.join(' '));
    assert.equal(cli.err.filter(text => text.startsWith('note: ') && text.includes('--plugin atlas')).length, notes);
    cli.process.kill('SIGTERM');
    assert.equal(await cli.exit, 0);
  }
});

test('prints text without --json, also for another port and a missing project', async () => {
  await using project = await projectFolder({});
  const holder = createServer();
  await new Promise<void>(resolve => holder.listen(0, '127.0.0.1', resolve));
  const { port } = holder.address() as AddressInfo;
  try {
    await using cli = await runCli('serve', project.folder, '--port', String(port));
    assert.match(
      await cli.firstLine(),
      /^Serving no project yet \(There is no project file in .*default\.project\.json/,
    );
    cli.process.kill('SIGINT');
    assert.equal(await cli.exit, 0);
    assert.match(cli.out.join('\n'), new RegExp(`\\(port ${port} is taken\\)`));
  } finally {
    holder.close();
  }
});

test('fails for a missing folder, and reports an unknown command as a usage error', async () => {
  const missing = join(tmpdir(), 'atlas-bridge-no-such-folder');
  const rows: readonly (readonly [args: readonly string[], code: number, out: RegExp, err: RegExp])[] = [
    [['serve', missing], 1, /^$/, /is not a folder/],
    [
      ['serve', 'a', 'b'],
      2,
      /^$/,
      /^error: unexpected argument 'b': run one .* free port\nhint: run 'atlas-bridge serve --help' for usage$/,
    ],
    [['dance'], 2, /^$/, /^error: unknown command 'dance'$/m],
    [['--help'], 0, /^Usage: atlas-bridge/, /^$/],
    [['--version'], 0, /^\d+\.\d+\.\d+$/, /^$/],
  ];
  await Promise.all(
    rows.map(async ([args, code, out, err]) => {
      await using cli = await runCli(...args);
      assert.equal(await cli.exit, code, args.join(' '));
      assert.match(cli.out.join('\n'), out);
      assert.match(cli.err.join('\n'), err);
    }),
  );
});

test('starts git in a thread, because it answers Studio and agents meanwhile', async () => {
  await using project = await projectFolder(harbor);
  process.env['NODE_OPTIONS'] = `--import=data:text/javascript,${encodeURIComponent(
    "process.on('worker', ({ threadName }) => console.error(`thread ${threadName}`));",
  )}`;
  await using cli = await runCli('serve', project.folder, ...quietly);
  delete process.env['NODE_OPTIONS'];
  const { studioUrl } = JSON.parse(await cli.firstLine()) as FirstLine;
  assert.equal((await fetch(`${studioUrl}/api/git-metadata`)).status, 200);
  assert.ok(cli.err.includes('thread Atlas Bridge git'), cli.err.join('\n'));
});
