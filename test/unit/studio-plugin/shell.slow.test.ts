import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { encodeMsgpack } from '../../../src/protocol/msgpack/encode.ts';
import { startPlace } from './start-place.ts';

const source = await readFile(new URL('../../../studio-plugin/src/init.server.luau', import.meta.url), 'utf8');

/** Replaces the window and records what it shows. */
const PANEL = `
local record = { statuses = {}, choices = {}, connected = false }
return {
	record = record,
	new = function(_, options)
		record.options = options
		return {
			setStatus = function(status) table.insert(record.statuses, status) end,
			setConnected = function(isConnected) record.connected = isConnected end,
			setOutcome = function() end,
			setWorkspace = function(name, studio) record.workspace = name .. " " .. studio end,
			setDeciding = function(isPending) record.deciding = isPending end,
			setReview = function(shown) record.review = shown end,
			setPairing = function(start) record.startPairing = start end,
			askCode = function(submit) record.submit = submit end,
			setChoices = function(choices) record.choices = choices end,
		}
	end,
}
`;

/** Replaces what only Studio has: the plugin object with its settings. Answers HTTP like the bridges of `bridges`. */
const WORLD = `
local scheduler = require("@headless/task")
local network = require("@headless/services/http")
local outbox = require("@headless/outbox")
local json = require("@headless/services/json")
local it = { stored = {}, opened = {}, sent = {}, widget = nil }
local function event()
	local handlers = {}
	return {
		Connect = function(_, handler) table.insert(handlers, handler) end,
		fire = function() for _, handler in handlers do handler() end end,
	}
end
it.plugin = {
	Unloading = event(),
	CreateToolbar = function()
		return { CreateButton = function() return { Click = event(), SetActive = function() end } end }
	end,
	CreateDockWidgetPluginGuiAsync = function()
		it.widget = require("@headless/instance").make(require("@headless/reflection").find("DockWidgetPluginGui"))
		return it.widget
	end,
	GetSetting = function(_, name) return it.stored[name] end,
	SetSetting = function(_, name, value) it.stored[name] = value end,
}
DockWidgetPluginGuiInfo = { new = function() return {} end }
function it.pass(seconds, bridges)
	local till = scheduler.now() + seconds
	while scheduler.now() < till do
		scheduler.step(scheduler.now() + 1 / 4)
		for _, message in outbox.take() do
			if message.kind == "httpRequest" then
				local body = bridges[tonumber(string.match(message.url, ":(%d+)/"))]
				local answer = if body then { status = 200, body = body } else { problem = "ConnectFail" }
				answer.id, answer.headers, answer.statusMessage = message.id, {}, ""
				answer.body = answer.body or buffer.create(0)
				network.httpAnswer(answer)
			elseif message.kind == "socketOpen" then
				table.insert(it.opened, message.url)
				it.socket = message.id
			elseif message.kind == "socketSend" then
				table.insert(it.sent, json.decode(buffer.tostring(message.data)))
			end
		end
	end
end
--[[ Opens the last socket, and plays the bridge on it. ]]
function it.open()
	network.socketOpened({ id = it.socket, status = 101, headers = "" })
	it.pass(1 / 2, {})
end
function it.answer(frame)
	network.socketMessage({ id = it.socket, data = buffer.fromstring(json.encode(frame)) })
	it.pass(1 / 2, {})
end
it.panel = require("@plugin/shell/panel").record
return it
`;

/** The plugin's shell in such a world; `play` is a chunk over `it` and `bridges`, the answers by port. */
async function run(play: string, projects: Readonly<Record<number, object>>): Promise<readonly unknown[]> {
  const vm = await startPlace();
  const bodies = Object.entries(projects).map(([port, info]) => [
    Number(port),
    encodeMsgpack({ serverFork: 'atlas', protocolVersion: 6, ...info }),
  ]);
  vm.compile(PANEL, 'plugin/shell/panel');
  vm.compile(`return function(plugin) ${source}\nend`, 'plugin');
  return vm.run(
    `local it = (function() ${WORLD} end)()
    local bridges = {}
    for _, pair in args[1] do bridges[pair[1]] = pair[2] end
    local function start() require("@plugin")(it.plugin) end
    ${play}`,
    'test/shell',
    bodies,
  );
}

test('finds the only bridge on any port', async () => {
  const [opened] = await run('start() it.pass(4, bridges) return it.opened', { 34880: { projectName: 'Game' } });
  assert.deepEqual(opened, ['ws://localhost:34880/api/mcp/stream']);
});

test('lets a person choose once among several bridges', async () => {
  const two = { 34873: { projectName: 'One' }, 34874: { projectName: 'Two' } };
  const [before, labels, opened, remembered] = await run(
    `start() it.pass(8, bridges)
    local before = #it.opened
    local labels = {}
    for _, choice in it.panel.choices do table.insert(labels, choice.label) end
    it.panel.choices[2].pick()
    it.pass(4, bridges)
    return before, labels, it.opened, it.stored["AtlasBridge_Choice_Baseplate"].projectName`,
    two,
  );
  assert.equal(before, 0);
  assert.deepEqual(labels, ['One (port 34873)', 'Two (port 34874)']);
  assert.deepEqual(new Set(opened as string[]), new Set(['ws://localhost:34874/api/mcp/stream']));
  assert.equal(remembered, 'Two');
});

test('opens the window once to ask for the project', async () => {
  const [before, asked, again] = await run(
    `start() it.widget.Enabled = false
    local before = it.widget.Enabled
    it.pass(4, bridges)
    local asked = it.widget.Enabled
    it.widget.Enabled = false
    it.pass(8, bridges)
    return before, asked, it.widget.Enabled`,
    { 34873: { projectName: 'One' }, 34874: { projectName: 'Two' } },
  );
  assert.deepEqual([before, asked, again], [false, true, false]);
});

test('looks for the bridge of the place when its project rejects it', async () => {
  const [opened, statuses] = await run(
    `local before = { [34873] = bridges[34873] }
    start() it.pass(4, before)
    it.open()
    it.answer({ type = "rejected", reason = "place 0 belongs to project Two, not to project One" })
    it.pass(8, before)
    local statuses = table.clone(it.panel.statuses)
    it.pass(8, { [34873] = bridges[34875], [34874] = bridges[34874] })
    return it.opened, statuses`,
    {
      34873: { projectName: 'One' },
      34874: { projectName: 'Two', expectedPlaceIds: [0] },
      34875: { projectName: 'One', unexpectedPlaceIds: [0] },
    },
  );
  assert.deepEqual(opened, ['ws://localhost:34873/api/mcp/stream', 'ws://localhost:34874/api/mcp/stream']);
  assert.match((statuses as readonly string[]).at(-1) ?? '', /^rejected: place 0 belongs to project Two/);
});

test('tries only the port that a person entered', async () => {
  const [opened] = await run(
    'it.stored["AtlasBridge_FixedPort"] = 40000 start() it.pass(1, bridges) return it.opened[1]',
    { 34873: { projectName: 'Game' } },
  );
  assert.equal(opened, 'ws://localhost:40000/api/mcp/stream');
});

test('does not connect to a project of other places, and says so in the window', async () => {
  const [opened, statuses] = await run('start() it.pass(4, bridges) return it.opened, it.panel.statuses', {
    34873: { projectName: 'Game', expectedPlaceIds: [5] },
  });
  assert.deepEqual(opened, []);
  assert.equal((statuses as readonly string[]).at(-1), 'elsewhere');
});

test('stops searching on Disconnect, and opens nothing that was found meanwhile', async () => {
  const [opened, connected, deciding] = await run(
    `start() it.panel.deciding = true
    it.panel.options.onDisconnect() it.pass(8, bridges)
    return it.opened, it.panel.connected, it.panel.deciding`,
    { 34873: { projectName: 'Game' } },
  );
  assert.deepEqual(opened, []);
  assert.equal(connected, false);
  assert.equal(deciding, false, 'shows no pending decision of a stopped bridge');
});

test('finds a bridge at its new port after a long interruption', async () => {
  const [opened] = await run(
    `local moved = { [34875] = bridges[34873] }
    start() it.pass(2, bridges) it.pass(30, moved)
    return it.opened`,
    { 34873: { projectName: 'Game' } },
  );
  assert.equal((opened as readonly string[])[0], 'ws://localhost:34873/api/mcp/stream');
  assert.equal((opened as readonly string[]).at(-1), 'ws://localhost:34875/api/mcp/stream');
});

test('shows the project, a pending decision and the result of the last run in the window', async () => {
  const vm = await startPlace();
  const panel = await readFile(new URL('../../../studio-plugin/src/shell/panel.luau', import.meta.url), 'utf8');
  vm.compile(`return function(settings) ${panel}\nend`, 'plugin/shell/panel');
  const [before, during, after, reviewing, isOpen] = vm.run(
    `require("@headless/members").events("GuiButton", { "Activated" })
    local theme = { GetColor = function() return Color3.new(1, 1, 1) end }
    local function settings() return { Studio = { Theme = theme, ThemeChanged = { Connect = function() return { Disconnect = function() end } end } } } end
    local widget = require("@headless/instance").make(require("@headless/reflection").find("DockWidgetPluginGui"))
    local view = require("@plugin/shell/panel")(settings).new(widget, { onConnect = function() end, onDisconnect = function() end })
    local function texts()
      local all = {}
      for _, one in widget:GetDescendants() do
        if one.ClassName == "TextLabel" and one.Visible and one.Text ~= "" then table.insert(all, one.Text) end
      end
      return all
    end
    local before = texts()
    view.setWorkspace("harbor", "studio-2") view.setStatus("connected") view.setOutcome("3 changes done.") view.setDeciding(true)
    local during = texts()
    local words = { choices = { push = "Push", pull = "Pull", skip = "Skip" }, bulk = {}, apply = "Apply", reject = "Reject", undecided = "undecided", showText = "Open Diff" }
    local row = { id = "a", title = "Edit Main (Script)", hint = "No suggestion", details = { "It differs." }, choices = { "push", "pull", "skip" }, hasText = true }
    view.setReview({ title = "Review Changes: Obby", summary = "1 change.", note = "", rows = { row }, canApply = false, words = words }, {})
    local reviewing = texts()
    local isOpen = widget.Enabled
    view.setReview(nil)
    view.setDeciding(false) view.setStatus("rejected: place 7 is not served")
    return before, during, texts(), reviewing, isOpen`,
    'test/panel',
  );
  assert.deepEqual(before, ['Not connected. Open the project in VS Code.']);
  assert.deepEqual(during, [
    'Connected to project harbor, as studio-2.',
    'Atlas Bridge needs a decision in VS Code.',
    'Last sync: 3 changes done.',
  ]);
  assert.deepEqual((reviewing as string[]).toSorted(), [
    'Connected to project harbor, as studio-2.',
    'Edit Main (Script)',
    'It differs.',
    'Last sync: 3 changes done.',
    'No suggestion (undecided)',
    'Review Changes: Obby\n1 change.',
  ]);
  assert.equal(isOpen, true);
  assert.deepEqual(after, ['Atlas Bridge refused the connection: place 7 is not served', 'Last sync: 3 changes done.']);
});

test('offers pairing without a key, asks for the code, and keeps the key of the machine', async () => {
  const [before, statuses, sent, asks, stored, sockets] = await run(
    `start() it.pass(4, bridges)
    local before = it.panel.startPairing ~= nil
    it.open()
    it.answer({ type = "challenge", machine = "m", sessionId = "s", nonce = "n" })
    local statuses = it.panel.statuses
    it.panel.startPairing()
    it.pass(1, bridges)
    it.open()
    local identify = it.sent[#it.sent]
    it.answer({ type = "challenge", machine = "m", sessionId = "s", nonce = "n" })
    local x25519, sha256 = require("@plugin/core/pairing/x25519"), require("@plugin/core/pairing/sha256")
    local own = string.rep("k", 32)
    local request = it.sent[#it.sent]
    local publicKey = sha256.toHex(x25519.publicKey(own))
    local shared = x25519.scalarMultiply(own, sha256.fromHex(request.publicKey))
    local parts = { "atlas-bridge-pairing-1", "m", "s", identify.nonce, "n", request.publicKey, publicKey }
    local secret = sha256.fromHex(sha256.hmac(shared, table.concat(parts, "\\n")))
    local code, salt = sha256.hmac(secret, "bridge\\n123456"), string.rep("5", 64)
    it.answer({ type = "pairReady", publicKey = publicKey, commitment = sha256.hmac(sha256.fromHex(salt), code) })
    local asks = it.panel.submit ~= nil
    it.panel.submit("123456")
    it.answer({ type = "pairProof", salt = salt, code = code })
    local sent = it.sent[#it.sent].type
    it.answer({ type = "paired" })
    it.pass(1, bridges)
    return before, statuses, sent, asks, it.stored["AtlasBridge_Keys"].m.secret == sha256.hmac(secret, "key"), #it.opened`,
    { 34873: { projectName: 'Game' } },
  );
  assert.equal(before, false);
  assert.equal((statuses as readonly string[]).includes('unpaired'), true);
  assert.deepEqual([sent, asks, stored], ['pairConfirm', true, true]);
  assert.equal(sockets, 3, 'it connects again with the new key');
});
