import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingText, fixText } from '../../../src/setup/vscode/finding-text.ts';
import { agentClients } from '../../../src/setup/agents/agent-clients.ts';
import { findToolFiles } from '../../../src/adapters/node/find-tool-files.ts';
import { findings, type SetUpFacts } from '../../../src/setup/findings.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const studio = { handle: 'studio-1', placeName: 'Harbor', placeId: 7, pluginVersion: '1.0.0', latencyMs: 1.4 };
const well: SetUpFacts = {
  version: '1.0.0',
  idle: undefined,
  failure: undefined,
  port: { preferred: 34_873, actual: 34_873 },
  project: { kind: 'open', name: 'harbor', problems: [] },
  rojo: { port: 34_872, isOpen: true },
  shared: [],
  projects: [],
  unserved: [],
  window: { kind: 'here' },
  plugin: { kind: 'current' },
  studios: [studio],
  git: 'found',
  hasRipgrep: true,
  tools: { files: [], lacksPackages: false },
  agents: agentClients.map(client => ({ client, file: '/servers.json', state: 'absent' as const })),
  connectedAgents: [{ name: 'Copilot', at: '2026-11-21T00:00:00Z' }],
};
const words = {
  t: (message: string, ...values: (string | number | boolean)[]) =>
    message.replace(/\{(\d+)\}/g, (_, at: string) => String(values[Number(at)])),
};
const reportOf = (facts: Partial<SetUpFacts>) =>
  findings({ ...well, ...facts }).map(finding => `${finding.state} ${finding.id}: ${findingText(finding, words)}`);
const problemsOf = (facts: Partial<SetUpFacts>) => reportOf(facts).filter(line => !line.startsWith('ok '));
const fixesOf = (facts: Partial<SetUpFacts>) => findings({ ...well, ...facts }).flatMap(({ fix }) => fix ?? []);

test('reports every check as ok when nothing is wrong', () => {
  assert.deepEqual(reportOf({}), [
    'ok workspace: A folder is open and trusted.',
    'ok project: Project harbor is open.',
    'ok bridge: The bridge listens on port 34873.',
    'ok plugin: The Studio plugin 1.0.0 is installed.',
    'ok studio: Studio is connected: Harbor.',
    'ok place: The place matches the project: Harbor (7).',
    'ok roundTrip: Studio responds in 1 ms.',
    'ok agent: Agents that have connected: Copilot.',
    'ok git: The folder is in a git repository. Suggestions use your commits.',
    'ok search: ripgrep found.',
  ]);
});

test('lists every project of a window with its port and its Studios', () => {
  const projects = [
    { label: 'harbor', port: 34_873, problem: undefined, places: [] },
    { label: 'arena', port: 34_874, problem: undefined, places: ['Arena', 'Arena Test'] },
    { label: 'lobby/default.project.json', port: 34_875, problem: 'invalid JSON', places: [] },
  ];
  const lines = reportOf({ projects, studios: [] }).filter(line => / (?:projects|studio): /.test(line));
  assert.deepEqual(lines, [
    'ok projects: Project harbor: port 34873, no Studio connected.',
    'ok projects: Project arena: port 34874, connected to Arena, Arena Test.',
    'broken projects: Project lobby/default.project.json: port 34875. It cannot be read: invalid JSON',
    'todo studio: No Studio is connected to harbor. Open its place in Roblox Studio and press Connect in the Atlas Bridge window.',
  ]);
});

test('lists projects that are not served, and why', () => {
  const unserved = [
    { label: 'arena/default.project.json', error: 'arena/default.project.json:1:3: expected a value.' },
    { label: 'ninth.project.json', error: undefined },
  ];
  assert.deepEqual(problemsOf({ unserved }), [
    'broken projects: Project arena/default.project.json is not served: arena/default.project.json:1:3: expected a value.',
    'todo projects: Project ninth.project.json is not served: this window already serves the maximum number of projects. Use Switch Project to choose it.',
  ]);
  assert.deepEqual(fixesOf({ unserved }), ['showProblems']);
});

test('says when another window serves the same project or has the port of Rojo', () => {
  const shared = [{ project: 'harbor', port: 34_874, otherPort: 34_873 }];
  const lines = reportOf({ shared, rojo: { port: 34_872, isOpen: false } }).filter(line => line.includes(' bridge: '));
  assert.deepEqual(lines.slice(1), [
    'ok bridge: Project harbor is also open in another window, on port 34873. Each Studio connects to one window; this one is on port 34874.',
    "ok bridge: Port 34872 for Rojo's plugin is in use by another window or program. Rojo's plugin connects there.",
  ]);
  assert.deepEqual(problemsOf({ rojo: undefined }), []);
});

test('names the files of other tools', () => {
  const report = reportOf({ tools: { files: ['wally.toml', 'rokit.toml'], lacksPackages: false } });
  assert.ok(report.includes('ok tools: Files of other tools found: wally.toml, rokit.toml.'), report.join());
});

test('finds the files of other tools in the folder of a project', async () => {
  await using folder = await tempFolder({ 'wally.toml': '', 'aftman.toml': '' });
  assert.deepEqual(await findToolFiles(folder.path), { files: ['wally.toml', 'aftman.toml'], lacksPackages: true });
  await folder.write({ 'Packages/A.luau': '' });
  assert.equal((await findToolFiles(folder.path)).lacksPackages, false);
  assert.deepEqual(await findToolFiles(undefined), { files: [], lacksPackages: false });
});

test('omits the place id of a local place file', () => {
  const file = reportOf({ studios: [{ ...studio, placeId: 0 }] });
  assert.ok(file.includes('ok place: The place matches the project: Harbor.'), file.join());
});

test('lists the first steps with a fix each on a fresh machine', () => {
  const fresh: Partial<SetUpFacts> = {
    project: { kind: 'missing', message: 'There is no project file.' },
    plugin: { kind: 'absent' },
    studios: [],
    connectedAgents: [],
  };
  assert.deepEqual(problemsOf(fresh), [
    'todo project: The folder has no project file.',
    'todo plugin: The Studio plugin is not installed.',
    'todo studio: No Studio is connected. Open the place in Roblox Studio and press Connect in the Atlas Bridge window.',
    "todo agent: VS Code's chat has the tools. No other agent is set up for this folder.",
  ]);
  assert.deepEqual(fixesOf(fresh), ['createProject', 'installPlugin', 'connectAgent']);
});

test('skips the project checks in Restricted Mode and without a folder', () => {
  assert.deepEqual(fixesOf({ idle: 'restricted', port: undefined, project: undefined }), ['trust']);
  assert.deepEqual(fixesOf({ idle: 'noFolder', port: undefined, project: undefined }), ['openFolder']);
});

test('has a text for every problem', () => {
  const [first] = well.agents;
  assert.ok(first);
  const cases: readonly (readonly [Partial<SetUpFacts>, string])[] = [
    [{ failure: 'no port is free' }, 'broken bridge: The bridge did not start: no port is free'],
    [
      { project: { kind: 'broken', message: 'a.json:1:1: expected "}"' } },
      'broken project: The project file cannot be read: a.json:1:1: expected "}"',
    ],
    [
      { project: { kind: 'open', name: 'harbor', problems: ['src/a.json:2:1: expected "}"'] } },
      'broken project: Project harbor has 1 problem: src/a.json:2:1: expected "}"',
    ],
    [{ plugin: { kind: 'outdated' } }, 'todo plugin: The Studio plugin has a different version.'],
    [
      { plugin: { kind: 'oldKey' } },
      'todo plugin: The Studio plugin has an old key. Install the plugin again, then restart Roblox Studio.',
    ],
    [
      { plugin: { kind: 'foreign', file: '/p.rbxmx' } },
      'broken plugin: Atlas Bridge did not install the existing file /p.rbxmx. Move the file away, then install the plugin.',
    ],
    [
      { studios: [{ ...studio, pluginVersion: '0.9.0' }] },
      'todo studio: Harbor runs plugin 0.9.0, but the current version is 1.0.0. Restart Studio to load it.',
    ],
    [
      { studios: [{ ...studio, latencyMs: 250 }] },
      'broken roundTrip: Studio responds in 250 ms, which is slow for the same computer.',
    ],
    [{ agents: [{ ...first, state: 'outdated' }] }, 'todo agentFiles: Claude Code has an entry from an older version.'],
    [
      { agents: [{ ...first, state: 'foreign' }] },
      'broken agentFiles: Claude Code has a server with the same name that Atlas Bridge did not write: /servers.json',
    ],
    [
      { agents: [{ ...first, state: 'unreadable' }] },
      'broken agentFiles: The MCP config file of Claude Code cannot be read: /servers.json',
    ],
    [{ git: 'missing' }, 'todo git: Git was not found. Without git, suggestions use only earlier syncs.'],
    [
      { tools: { files: ['wally.toml'], lacksPackages: true } },
      'todo tools: wally.toml was found, but no packages are installed. Run "wally install".',
    ],
    [{ hasRipgrep: false }, 'todo search: ripgrep was not found. Searches read every file, which is slow.'],
  ];
  for (const [facts, sentence] of cases) assert.deepEqual(problemsOf(facts), [sentence]);
  for (const [facts] of cases) for (const fix of fixesOf(facts)) assert.notEqual(fixText(fix, words), undefined);
});

test('reports a port other than the preferred one without calling it a problem', () => {
  const line = reportOf({ port: { preferred: 34_873, actual: 34_875 } }).find(one => one.includes('bridge'));
  assert.equal(
    line,
    'ok bridge: The bridge listens on port 34875, because port 34873 is in use. Studio finds it automatically.',
  );
});

test('reports the address for Studio in a remote window, or how to forward the port', () => {
  assert.ok(
    reportOf({ window: { kind: 'remote', name: 'ssh-remote', address: 'localhost:34873' } }).includes(
      'ok remote: You are connected to ssh-remote. Studio on your own computer connects to localhost:34873, which VS Code forwards.',
    ),
  );
  const lost: Partial<SetUpFacts> = { window: { kind: 'wsl', name: 'wsl', address: undefined } };
  assert.match(problemsOf(lost).join(), /^todo remote: Port 34873 of wsl is not forwarded to your computer\./);
  assert.deepEqual(fixesOf(lost), ['showPorts']);
});

test('accepts only a connected plugin as installed in a remote window', () => {
  const over = { kind: 'remote', name: 'ssh-remote', address: 'localhost:34873' } as const;
  const before: Partial<SetUpFacts> = { window: over, studios: [], plugin: { kind: 'current' } };
  assert.ok(
    problemsOf(before).includes(
      'todo plugin: The Studio plugin must be on your own computer. This check completes when Studio connects.',
    ),
  );
  assert.deepEqual(fixesOf(before), ['savePlugin']);
  assert.ok(reportOf({ window: over }).includes('ok plugin: The Studio plugin 1.0.0 is installed.'));
  const windows = { kind: 'wsl', name: 'wsl', address: 'localhost:34873' } as const;
  assert.deepEqual(fixesOf({ window: windows, plugin: { kind: 'absent' } }), ['installPlugin']);
});

test('reports in a browser where the bridge runs and how Studio on another computer connects', () => {
  assert.ok(
    reportOf({ window: { kind: 'browser', name: 'devbox' } }).includes(
      'ok remote: This window runs in a browser, and the bridge runs on devbox. To use Studio on another computer, run: ssh -L 34873:127.0.0.1:34873 devbox',
    ),
  );
});

test('does not claim that suggestions use commits in a folder without a repository', () => {
  assert.deepEqual(problemsOf({ git: 'noRepository' }), [
    'todo git: The folder is not in a git repository. Without commits, suggestions use only earlier syncs.',
  ]);
  assert.deepEqual(fixesOf({ git: 'noRepository' }), ['createRepository']);
});

test('distinguishes agents that are set up from agents that have connected', () => {
  const agents = agentClients.map(client => ({
    client,
    file: '/servers.json',
    state: client.id === 'cursor' ? ('connected' as const) : ('absent' as const),
  }));
  assert.deepEqual(problemsOf({ agents, connectedAgents: [] }), [
    'todo agent: Cursor is set up, but has not connected since this window opened. Restart it in this folder.',
  ]);
  assert.deepEqual(problemsOf({ agents }), []);
});
