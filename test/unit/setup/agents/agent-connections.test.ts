import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createAgentConnections } from '../../../../src/setup/agents/agent-connections.ts';
import { entryState, withEntry, withoutEntry } from '../../../../src/setup/agents/server-entry.ts';
import { MemoryPluginFiles } from '../../../harness/memory-plugin-files.ts';

const home = '/people/ada';
const launcher = `${home}/.local/state/atlas-bridge/bin/atlas-bridge`;
const claudeFile = '/games/harbor/.mcp.json';

function start(texts: Readonly<Record<string, string>> = {}, platform = 'linux') {
  const files = new MemoryPluginFiles(texts);
  const places = () => ({ folder: '/games/harbor', home, launcher, platform });
  return { files, agents: createAgentConnections({ files, paths: places }) };
}

test('writes a Claude Code entry that works on every machine, and removes exactly that entry', async () => {
  const { files, agents } = start();
  const plan = await agents.planConnect('claude-code');
  assert.equal(plan.before, undefined);
  assert.deepEqual(JSON.parse(plan.after ?? ''), {
    mcpServers: {
      'atlas-bridge': { type: 'stdio', command: '${HOME}/.local/state/atlas-bridge/bin/atlas-bridge', args: ['mcp'] },
    },
  });
  assert.equal(files.texts.size, 0, 'a plan writes nothing');
  await agents.apply(plan);
  assert.equal(files.texts.get(claudeFile), plan.after);
  await agents.apply(await agents.planDisconnect('claude-code'));
  assert.equal(files.texts.size, 0, 'the file was ours');
});

test('keeps other entries with their comments and formatting', async () => {
  const before = '{\n    // the team\n    "mcpServers": {\n        "github": { "command": "gh" }\n    }\n}\n';
  const { files, agents } = start({ [claudeFile]: before });
  await agents.apply(await agents.planConnect('claude-code'));
  const after = files.texts.get(claudeFile) ?? '';
  assert.ok(
    after.startsWith('{\n    // the team\n    "mcpServers": {\n        "github": { "command": "gh" },\n'),
    after,
  );
  await agents.removeAll();
  assert.equal(files.texts.get(claudeFile), before);
});

test('keeps an empty file that existed before', async () => {
  const { files, agents } = start({ [claudeFile]: '{}' });
  await agents.apply(await agents.planConnect('claude-code'));
  await agents.removeAll();
  assert.deepEqual(JSON.parse(files.texts.get(claudeFile) ?? ''), { mcpServers: {} });
});

test('reports the state of each client', async () => {
  const { files, agents } = start({ [`${home}/.cursor/settings.json`]: '{}' });
  const states = async () => (await agents.list()).map(({ client, state }) => [client.id, state]);
  assert.deepEqual(await states(), [
    ['claude-code', 'absent'],
    ['cursor', 'absent'],
    ['windsurf', 'missing'],
  ]);
  await agents.apply(await agents.planConnect('cursor'));
  files.texts.set(claudeFile, '{"mcpServers":{"atlas-bridge":{"command":"/old/atlas-bridge","args":["mcp"]}}}');
  files.texts.set(`${home}/.codeium/windsurf/mcp_config.json`, '{"mcpServers":');
  assert.deepEqual(await states(), [
    ['claude-code', 'outdated'],
    ['cursor', 'connected'],
    ['windsurf', 'unreadable'],
  ]);
});

test('does not touch a foreign entry with the same name or an unreadable file', async () => {
  const own = '{"mcpServers":{"atlas-bridge":{"url":"http://127.0.0.1:1"}}}';
  const { files, agents } = start({ [claudeFile]: own });
  await assert.rejects(agents.planConnect('claude-code'), { code: 'AGENT_ENTRY_FOREIGN' });
  files.texts.set(claudeFile, '[]');
  await assert.rejects(agents.planConnect('claude-code'), { code: 'AGENT_FILE_UNREADABLE' });
  assert.equal(files.texts.get(claudeFile), '[]');
});

test('does not overwrite a file that changed after the plan was shown', async () => {
  const { files, agents } = start();
  const plan = await agents.planConnect('claude-code');
  files.texts.set(claudeFile, '{"mcpServers":{}}');
  await assert.rejects(agents.apply(plan), { code: 'FILE_CHANGED' });
  assert.equal(files.texts.get(claudeFile), '{"mcpServers":{}}');
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
  assert.equal(plan.file, 'C:\\games\\harbor\\.mcp.json');
  assert.match(plan.after ?? '', /\$\{USERPROFILE\}\\\\AppData/);
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
      const connected = withEntry(before, entry);
      assert.equal(entryState(connected, entry), 'connected');
      const after = withoutEntry(connected) ?? '{"mcpServers":{}}';
      assert.deepEqual(JSON.parse(after), JSON.parse(before));
    }),
  );
});
