import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createAgentConnections } from '../../../../src/setup/agents/agent-connections.ts';
import { entryState, withEntry, withoutEntry } from '../../../../src/setup/agents/server-entry.ts';
import { MemoryPluginFiles } from '../../../harness/memory-plugin-files.ts';

const home = '/people/ada';
const launcher = `${home}/.local/state/atlas-bridge/bin/atlas-bridge`;
const cursorFile = '/games/harbor/.cursor/mcp.json';
const claudeFile = `${home}/.claude.json`;

function start(texts: Readonly<Record<string, string>> = {}, platform = 'linux') {
  const files = new MemoryPluginFiles(texts);
  const places = () => ({ folder: '/games/harbor', home, launcher, platform });
  return { files, agents: createAgentConnections({ files, paths: places }) };
}

test('writes a machine-independent entry into a shared file, and removes exactly that entry', async () => {
  const { files, agents } = start();
  const plan = await agents.planConnect('cursor');
  assert.equal(plan.before, undefined);
  assert.deepEqual(JSON.parse(plan.after ?? ''), {
    mcpServers: {
      'atlas-bridge': {
        command: '${userHome}/.local/state/atlas-bridge/bin/atlas-bridge',
        args: ['mcp', '--project', '${workspaceFolder}'],
      },
    },
  });
  assert.equal(files.texts.size, 0, 'a plan writes nothing');
  await agents.apply(plan);
  assert.equal(files.texts.get(cursorFile), plan.after);
  await agents.apply(await agents.planDisconnect('cursor'));
  assert.equal(files.texts.size, 0, 'the file was ours');
});

test('connects Claude Code in the file of the user, which VS Code does not read', async () => {
  const own =
    '{\n  "numStartups": 7,\n  "projects": {\n    "/games/harbor": {\n      "allowedTools": []\n    }\n  }\n}\n';
  const { files, agents } = start({ [claudeFile]: own });
  const plan = await agents.planConnect('claude-code');
  assert.equal(plan.file, claudeFile);
  await agents.apply(plan);
  assert.deepEqual(JSON.parse(files.texts.get(claudeFile) ?? ''), {
    numStartups: 7,
    projects: {
      '/games/harbor': {
        allowedTools: [],
        mcpServers: { 'atlas-bridge': { type: 'stdio', command: launcher, args: ['mcp'] } },
      },
    },
  });
  assert.equal((await agents.list())[0]?.state, 'connected');
});

test('removes the Claude Code entries of every folder', async () => {
  const files = new MemoryPluginFiles({});
  const inFolder = (folder: string) =>
    createAgentConnections({ files, paths: () => ({ folder, home, launcher, platform: 'linux' }) });
  for (const folder of ['/games/harbor', '/games/castle']) {
    const agents = inFolder(folder);
    await agents.apply(await agents.planConnect('claude-code'));
    await agents.apply(await agents.planConnect('cursor'));
  }
  assert.equal((await inFolder('/games/harbor').removeAll()).removed.length, 4);
  assert.doesNotMatch(JSON.stringify([...files.texts]), /atlas-bridge/);
});

test('writes a table for Codex, and keeps the rest of its file', async () => {
  const codexFile = `${home}/.codex/config.toml`;
  const own = 'model = "o5"\n\n[mcp_servers.github]\ncommand = "gh"\n';
  const { files, agents } = start({ [codexFile]: own });
  await agents.apply(await agents.planConnect('codex'));
  assert.equal(
    files.texts.get(codexFile),
    `${own}\n[mcp_servers.atlas-bridge]\ncommand = "${launcher}"\nargs = ["mcp"]\n`,
  );
  await agents.removeAll();
  assert.equal(files.texts.get(codexFile), own);
  files.texts.set(codexFile, 'mcp_servers = { github = { command = "gh" } }\n');
  await assert.rejects(agents.planConnect('codex'), { code: 'AGENT_FILE_UNREADABLE' });
});

test('connects Gemini CLI in the folder, and Zed in the settings of the user', async () => {
  const { files, agents } = start({ [`${home}/.config/zed/settings.json`]: '// Zed\n{ "theme": "One" }\n' });
  await agents.apply(await agents.planConnect('gemini-cli'));
  assert.deepEqual(JSON.parse(files.texts.get('/games/harbor/.gemini/settings.json') ?? ''), {
    mcpServers: { 'atlas-bridge': { command: '${HOME}/.local/state/atlas-bridge/bin/atlas-bridge', args: ['mcp'] } },
  });
  await agents.apply(await agents.planConnect('zed'));
  const zed = files.texts.get(`${home}/.config/zed/settings.json`) ?? '';
  assert.match(zed, /^\/\/ Zed\n/);
  assert.match(zed, /"context_servers"[^]*"source": "custom"/);
});

test('keeps other entries with their comments and formatting', async () => {
  const before = '{\n    // the team\n    "mcpServers": {\n        "github": { "command": "gh" }\n    }\n}\n';
  const { files, agents } = start({ [cursorFile]: before });
  await agents.apply(await agents.planConnect('cursor'));
  const after = files.texts.get(cursorFile) ?? '';
  assert.ok(
    after.startsWith('{\n    // the team\n    "mcpServers": {\n        "github": { "command": "gh" },\n'),
    after,
  );
  await agents.removeAll();
  assert.equal(files.texts.get(cursorFile), before);
});

test('keeps an empty file that existed before', async () => {
  const { files, agents } = start({ [cursorFile]: '{}' });
  await agents.apply(await agents.planConnect('cursor'));
  await agents.removeAll();
  assert.deepEqual(JSON.parse(files.texts.get(cursorFile) ?? ''), { mcpServers: {} });
});

test('reports the state of each client', async () => {
  const { files, agents } = start({ [`${home}/.cursor/settings.json`]: '{}', [`${home}/.codex/config.toml`]: '' });
  const states = async () => (await agents.list()).map(({ client, state }) => [client.id, state]);
  assert.deepEqual(await states(), [
    ['claude-code', 'absent'],
    ['cursor', 'absent'],
    ['windsurf', 'missing'],
    ['codex', 'absent'],
    ['gemini-cli', 'missing'],
    ['zed', 'missing'],
  ]);
  await agents.apply(await agents.planConnect('claude-code'));
  files.texts.set(cursorFile, '{"mcpServers":{"atlas-bridge":{"command":"/old/atlas-bridge","args":["mcp"]}}}');
  files.texts.set(`${home}/.codeium/windsurf/mcp_config.json`, '{"mcpServers":');
  files.texts.set(`${home}/.codex/config.toml`, '[mcp_servers');
  assert.deepEqual((await states()).slice(0, 4), [
    ['claude-code', 'connected'],
    ['cursor', 'outdated'],
    ['windsurf', 'unreadable'],
    ['codex', 'unreadable'],
  ]);
});

test('does not touch a foreign entry with the same name or an unreadable file', async () => {
  const own = '{"mcpServers":{"atlas-bridge":{"url":"http://127.0.0.1:1"}}}';
  const { files, agents } = start({ [cursorFile]: own });
  await assert.rejects(agents.planConnect('cursor'), { code: 'AGENT_ENTRY_FOREIGN' });
  files.texts.set(cursorFile, '[]');
  await assert.rejects(agents.planConnect('cursor'), { code: 'AGENT_FILE_UNREADABLE' });
  assert.equal(files.texts.get(cursorFile), '[]');
});

test('does not overwrite a file that changed after the plan was shown', async () => {
  const { files, agents } = start();
  const plan = await agents.planConnect('cursor');
  files.texts.set(cursorFile, '{"mcpServers":{}}');
  await assert.rejects(agents.apply(plan), { code: 'FILE_CHANGED' });
  assert.equal(files.texts.get(cursorFile), '{"mcpServers":{}}');
});

test('writes Windows paths with backslashes on Windows', async () => {
  const files = new MemoryPluginFiles();
  const windows = {
    folder: 'C:\\games\\harbor',
    home: 'D:\\people\\ada',
    launcher: 'D:\\people\\ada\\AppData\\Local\\atlas-bridge\\bin\\atlas-bridge.cmd',
    platform: 'win32',
  };
  const agents = createAgentConnections({ files, paths: () => windows });
  const plan = await agents.planConnect('claude-code');
  assert.equal(plan.file, 'D:\\people\\ada\\.claude.json');
  assert.match(plan.after ?? '', /"C:\/games\/harbor"/);
  assert.match(plan.after ?? '', /ada\\\\AppData/);
  await agents.apply(plan);
  const [claude] = await agents.list();
  assert.equal(claude?.state, 'connected');
});

test('adding and removing an entry leaves the other servers of any file unchanged', () => {
  const server = fc.record({ command: fc.string(), args: fc.array(fc.string()) });
  const name = fc.string().filter(one => one !== 'atlas-bridge' && one !== '__proto__');
  const layout = fc.constantFrom(undefined, 2, 4, '\t');
  fc.assert(
    fc.property(fc.dictionary(name, server), fc.dictionary(name, fc.json()), layout, (mcpServers, rest, space) => {
      const before = JSON.stringify({ ...rest, mcpServers }, null, space);
      const entry = { command: launcher, args: ['mcp'] };
      const at = { format: 'json', path: ['mcpServers'] } as const;
      const connected = withEntry(before, entry, at);
      assert.equal(entryState(connected, entry, at), 'connected');
      const after = withoutEntry(connected, at) ?? '{"mcpServers":{}}';
      assert.deepEqual(JSON.parse(after), JSON.parse(before));
    }),
  );
});

test('adding and removing a table leaves any TOML file unchanged', () => {
  const at = { format: 'toml', table: 'mcp_servers' } as const;
  const entry = { command: launcher, args: ['mcp'] };
  const name = fc.stringMatching(/^[a-z]{1,8}$/);
  const part = fc.oneof(
    fc
      .tuple(name, fc.array(fc.integer()))
      .map(([key, list]) => `[mcp_servers.${key}]\nports = [\n${list.join(',\n')}\n]\n`),
    fc.string({ unit: 'grapheme' }).map(text => `# ${text.replaceAll(/\p{C}/gu, '')}\n`),
  );
  fc.assert(
    fc.property(fc.uniqueArray(part, { selector: text => text.split(']')[0] }), parts => {
      const before = parts.join('');
      fc.pre(before === '' || entryState(before, entry, at) === 'absent');
      const connected = withEntry(before, entry, at);
      assert.equal(entryState(connected, entry, at), 'connected', connected);
      assert.equal(withEntry(connected, entry, at), connected);
      assert.equal(withoutEntry(connected, at) ?? '', before);
    }),
  );
});

for (const [name, before, change] of [
  ['plan adds the entry', '{ "numStartups": 7 }\n', 'planConnect'],
  ['plan creates the file', undefined, 'planConnect'],
  ['plan removes the entry', undefined, 'planDisconnect'],
] as const)
  test(`keeps what the client writes into its file while the ${name}`, async () => {
    const { files, agents } = start(before === undefined ? {} : { [claudeFile]: before });
    if (change === 'planDisconnect') await agents.apply(await agents.planConnect('claude-code'));
    const plan = await agents[change]('claude-code');
    const { receipt } = files;
    const known = files.kept;
    const late = '{ "numStartups": 8 }\n';
    // After the first look at the file.
    files.receipt = async () => {
      files.texts.set(claudeFile, late);
      return receipt();
    };
    await assert.rejects(agents.apply(plan), { code: 'FILE_CHANGED' });
    assert.equal(files.texts.get(claudeFile), late);
    assert.deepEqual(files.kept ?? { entries: [] }, known ?? { entries: [] });
  });

test('lists a file that cannot be read or decoded as unreadable, and never writes it', async () => {
  const { files, agents } = start();
  const { read } = files;
  files.read = async path => {
    if (path === claudeFile) throw new Error('EACCES: permission denied');
    return path === cursorFile ? Uint8Array.of(0x7b, 0xff, 0x7d) : read(path);
  };
  assert.deepEqual(
    (await agents.list()).slice(0, 2).map(({ state }) => state),
    ['unreadable', 'unreadable'],
  );
  await assert.rejects(agents.planConnect('cursor'), { code: 'AGENT_FILE_UNREADABLE' });
});

test('keeps the byte-order mark of a file', async () => {
  for (const [id, file, before] of [
    ['cursor', cursorFile, '\uFEFF{ "mcpServers": { "github": { "command": "gh" } } }\n'],
    ['codex', `${home}/.codex/config.toml`, '\uFEFFmodel = "o5"\n'],
  ] as const) {
    const { files, agents } = start({ [file]: before });
    await agents.apply(await agents.planConnect(id));
    assert.match(files.texts.get(file) ?? '', /^\uFEFF[^\uFEFF]*atlas-bridge/);
    await agents.removeAll();
    assert.equal(files.texts.get(file), before);
  }
});

test('removes the tables that Codex adds to the entry', async () => {
  const codexFile = `${home}/.codex/config.toml`;
  const { files, agents } = start({ [codexFile]: 'model = "o5"\n' });
  await agents.apply(await agents.planConnect('codex'));
  const approvals = '\n[mcp_servers.atlas-bridge.tools.get_script]\napproval_mode = "approve"\n';
  files.texts.set(codexFile, `${files.texts.get(codexFile)}${approvals}\n[mcp_servers.github]\ncommand = "gh"\n`);
  const codex = (await agents.list()).find(({ client }) => client.id === 'codex');
  assert.equal(codex?.state, 'connected');
  await agents.apply(await agents.planDisconnect('codex'));
  assert.equal(files.texts.get(codexFile), 'model = "o5"\n\n[mcp_servers.github]\ncommand = "gh"\n');
});

test('reports only the files that it changed', async () => {
  const { files, agents } = start();
  await agents.apply(await agents.planConnect('cursor'));
  files.texts.set(cursorFile, '{"mcpServers":{}}');
  assert.deepEqual(await agents.removeAll(), { removed: [], kept: [] });
});

test('names a launcher outside of the home folder by its whole path', async () => {
  const outside = '/people/adam/bin/atlas-bridge';
  const paths = () => ({ folder: '/games/harbor', home, launcher: outside, platform: 'linux' });
  const plan = await createAgentConnections({ files: new MemoryPluginFiles(), paths }).planConnect('cursor');
  assert.match(plan.after ?? '', /"command": "\/people\/adam\/bin\/atlas-bridge"/);
});

test('removes the other entries, and reports the kept one, when an entry became foreign', async () => {
  const { files, agents } = start();
  await agents.apply(await agents.planConnect('cursor'));
  await agents.apply(await agents.planConnect('claude-code'));
  const foreign = '{"mcpServers":{"atlas-bridge":{"url":"http://127.0.0.1:1"}}}';
  files.texts.set(cursorFile, foreign);
  const { removed, kept } = await agents.removeAll();
  assert.deepEqual(
    removed.map(({ client }) => client),
    ['claude-code'],
  );
  assert.deepEqual(
    kept.map(({ client, file, reason }) => [client, file, reason.code]),
    [['cursor', cursorFile, 'AGENT_ENTRY_FOREIGN']],
  );
  assert.deepEqual([...files.texts], [[cursorFile, foreign]]);
});

test('keeps the members that a client or a person added when it updates an outdated entry', async () => {
  const codexFile = `${home}/.codex/config.toml`;
  const added = { env: { PORT: '1' }, disabled: false, timeout: 60, alwaysAllow: ['get_script'] };
  const old = { command: '/old/atlas-bridge', ...added, args: ['mcp'] };
  const { files, agents } = start({
    [cursorFile]: `// ours\n${JSON.stringify({ mcpServers: { 'atlas-bridge': old } }, null, 4)}\n`,
    [codexFile]: [
      '[mcp_servers.atlas-bridge]',
      'command = "/old/atlas-bridge"',
      '# slow disk',
      'startup_timeout_sec = 20',
      'args = [',
      '  "mcp",',
      ']',
      'env = { PORT = "1" }',
      '',
      '[mcp_servers.github]',
      'command = "gh"',
      '',
    ].join('\n'),
  });
  await agents.apply(await agents.planConnect('cursor'));
  assert.deepEqual(JSON.parse((files.texts.get(cursorFile) ?? '').replace('// ours\n', '')), {
    mcpServers: {
      'atlas-bridge': {
        command: '${userHome}/.local/state/atlas-bridge/bin/atlas-bridge',
        ...added,
        args: ['mcp', '--project', '${workspaceFolder}'],
      },
    },
  });
  await agents.apply(await agents.planConnect('codex'));
  assert.equal(
    files.texts.get(codexFile),
    [
      '[mcp_servers.atlas-bridge]',
      `command = "${launcher}"`,
      'args = ["mcp"]',
      '# slow disk',
      'startup_timeout_sec = 20',
      'env = { PORT = "1" }',
      '',
      '[mcp_servers.github]',
      'command = "gh"',
      '',
    ].join('\n'),
  );
});

test('keeps what the client writes just before the file is removed', async () => {
  const { files, agents } = start();
  await agents.apply(await agents.planConnect('cursor'));
  const plan = await agents.planDisconnect('cursor');
  assert.equal(plan.after, undefined);
  const { remove } = files;
  const late = '{ "mcpServers": { "github": { "command": "gh" } } }';
  files.remove = async (...args) => {
    files.texts.set(cursorFile, late);
    return remove(...args);
  };
  await assert.rejects(agents.apply(plan), { code: 'FILE_CHANGED' });
  assert.equal(files.texts.get(cursorFile), late);
});
