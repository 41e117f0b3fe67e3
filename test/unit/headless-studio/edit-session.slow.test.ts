import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import fc from 'fast-check';
import type { LuauValue } from '../../../src/headless-studio/luau-value.ts';
import { startTestStudio, type TestStudio } from '../../harness/luau-vm.ts';

let studio: TestStudio;
beforeEach(async () => {
  studio = await startTestStudio();
});

const services = `local Http, History, Editor = game:GetService("HttpService"), game:GetService("ChangeHistoryService"),
  game:GetService("ScriptEditorService")
`;

test('reads JSON of Luau and of other programs as the same values', () => {
  studio.vm.define(
    new Map([
      [
        'json-test.luau',
        `local json = require("@headless/services/json")
        return { encode = json.encode, decode = json.decode }`,
      ],
    ]),
  );
  const { value } = fc.letrec<{ value: LuauValue }>(tie => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.boolean(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(number => (number === 0 ? 0 : number)),
      fc.string({ unit: 'binary' }).filter(text => text.isWellFormed()),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        fc.string({ minLength: 1 }).filter(key => key !== '__proto__' && !/^\d+$/.test(key)),
        tie('value'),
        { minKeys: 1, noNullPrototype: true },
      ),
    ),
  }));
  fc.assert(
    fc.property(value, given => {
      const [text] = studio.vm.call('json-test', 'encode', given);
      assert.deepEqual(JSON.parse(text as string), given);
      assert.deepEqual(studio.vm.call('json-test', 'decode', JSON.stringify(given, null, 1)), [given]);
    }),
  );
});

test('refuses text that is not JSON and values that JSON cannot hold', () => {
  for (const text of ['', '{', '[1,]', '{"a" 1}', '{a:1}', '"\\x"', '1 2', 'nul', '"a\nb"'])
    assert.match(studio.failure(`${services} Http:JSONDecode(args[1])`, text), /Can't parse JSON/, text);
  assert.match(studio.failure(`${services} Http:JSONEncode({ 1 / 0 })`), /not finite/);
  assert.match(studio.failure(`${services} local t = {} t.t = t Http:JSONEncode(t)`), /nested too deeply/);
});

test('encodes and decodes any bytes as base64', () => {
  studio.vm.define(
    new Map([
      [
        'base64-test.luau',
        `return {
          encode = function(bytes) return game:GetService("EncodingService"):Base64Encode(bytes) end,
          decode = function(bytes) return game:GetService("EncodingService"):Base64Decode(bytes) end,
        }`,
      ],
    ]),
  );
  fc.assert(
    fc.property(fc.uint8Array(), bytes => {
      const text = Buffer.from(Buffer.from(bytes).toString('base64'));
      assert.deepEqual(Buffer.from(studio.vm.call('base64-test', 'encode', bytes)[0] as Uint8Array), text);
      assert.deepEqual(studio.vm.call('base64-test', 'decode', new Uint8Array(text))[0], bytes);
    }),
  );
});

test('undoes and redoes a recording with all of its changes', () => {
  assert.deepEqual(
    studio.run(`${services}
    local old = Instance.new("Folder") old.Name = "old" old.Parent = workspace
    local id = History:TryBeginRecording("Change things")
    old.Name = "renamed"
    old:SetAttribute("x", 1)
    old:AddTag("tag")
    local new = Instance.new("Folder") new.Name = "new" new.Parent = workspace
    old.Parent = game:GetService("ReplicatedStorage")
    History:FinishRecording(id, Enum.FinishRecordingOperation.Commit)
    local function state() return { old.Name, old.Parent.Name, tostring(old:GetAttribute("x")), #old:GetTags(), tostring(new.Parent) } end
    local undone = {}
    History.OnUndo:Connect(function(name) table.insert(undone, name) end)
    History:Undo()
    local after = state()
    local can, name = History:GetCanRedo()
    History:Redo()
    return after, state(), undone, can, name`),
    [
      ['old', 'Workspace', 'nil', 0, 'nil'],
      ['renamed', 'ReplicatedStorage', '1', 1, 'Workspace'],
      ['Change things'],
      true,
      'Change things',
    ],
  );
});

test('restores a destroyed instance with its descendants on undo, and removes it on redo', () => {
  assert.deepEqual(
    studio.run(`${services}
    local box = Instance.new("Folder") box.Name = "Box" box.Parent = workspace
    local inner = Instance.new("Part") inner.Name = "Inner" inner.Parent = box
    History:SetWaypoint("made")
    box:Destroy()
    History:SetWaypoint("destroyed")
    local function state() return { tostring(box.Parent), tostring(inner.Parent), (pcall(function() box.Parent = box.Parent end)) } end
    local gone = state()
    History:Undo()
    local back = state()
    History:Redo()
    return gone, back, state()`),
    [
      ['nil', 'nil', false],
      ['Workspace', 'Box', true],
      ['nil', 'nil', false],
    ],
  );
});

test('undoes a property that was set a million times as one change', () => {
  assert.deepEqual(
    studio.run(`${services}
    History:ResetWaypoints()
    for index = 1, 1e6 do workspace.Gravity = index end
    History:SetWaypoint("fell")
    History:Undo()
    local before = workspace.Gravity
    History:Redo()
    return before < 1000, workspace.Gravity, (History:GetCanRedo())`),
    [true, 1e6, false],
  );
});

test('reverts a cancelled recording, and refuses a second recording at the same time', () => {
  assert.deepEqual(
    studio.run(`${services}
    local id = History:TryBeginRecording("a")
    workspace.Gravity = 5
    local second = History:TryBeginRecording("b")
    History:FinishRecording(id, Enum.FinishRecordingOperation.Cancel)
    return second, workspace.Gravity ~= 5, History:IsRecordingInProgress(), History:TryBeginRecording("c") ~= nil`),
    [null, true, false, true],
  );
});

test('records a change of the command bar as a separate undo step', () => {
  studio.run('workspace.Name = "Ws"');
  assert.deepEqual(
    studio.run(`${services} local can, name = History:GetCanUndo() History:Undo() return name, workspace.Name`),
    ['Command bar', 'Workspace'],
  );
});

test('keeps typed text as a draft until it is saved', () => {
  assert.deepEqual(
    studio.run(`${services}
    local script = Instance.new("ModuleScript") script.Source = "one\\ntwo" script.Parent = workspace
    Editor:OpenScriptDocumentAsync(script)
    local document = Editor:FindScriptDocument(script)
    document:EditTextAsync("2", 2, 1, 2, 4)
    local draft, saved = Editor:GetEditorSource(script), script.Source
    document:CloseAsync()
    return draft, saved, script.Source, Editor:FindScriptDocument(script)`),
    ['one\n2', 'one\ntwo', 'one\n2', null],
  );
});

test('reads the draft in UpdateSourceAsync, saves at once and leaves no draft', () => {
  assert.deepEqual(
    studio.run(`${services}
    local script = Instance.new("Script") script.Source = "saved" script.Parent = workspace
    Editor:OpenScriptDocumentAsync(script)
    Editor:FindScriptDocument(script):EditTextAsync("draft", 1, 1, 9, 9)
    local seen
    Editor:UpdateSourceAsync(script, function(old) seen = old return "new" end)
    local ok = pcall(Editor.UpdateSourceAsync, Editor, script, function() error("stop") end)
    return seen, script.Source, Editor:GetEditorSource(script), ok`),
    ['draft', 'new', 'new', false],
  );
});

test('generates GUIDs and encodes URLs', () => {
  const [guid, wrapped, url] = studio.run(
    `${services} return Http:GenerateGUID(false), Http:GenerateGUID(), Http:UrlEncode("ä b/c")`,
  );
  assert.match(guid as string, /^[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}$/);
  assert.match(wrapped as string, /^\{.{36}\}$/);
  assert.equal(url, '%C3%A4%20b%2Fc');
});

test('waits for the response of a request, for any bytes', () => {
  studio.step(0);
  studio.vm.compile(
    `local ok, response = pcall(function()
      return game:GetService("HttpService"):RequestAsync({ Url = "http://localhost:1/x", Method = "POST", Body = "\\0\\255" })
    end)
    return ok, response.StatusCode, response.Success, buffer.fromstring(response.Body), response.Headers.a`,
    'test/request',
  );
  const request = studio
    .step(0, { kind: 'run', id: 1, path: 'test/request' })
    .find(each => each.kind === 'httpRequest');
  assert.deepEqual([request?.['method'], request?.['body']], ['POST', Uint8Array.from([0, 255])]);
  const answer = {
    kind: 'httpAnswer',
    id: request!['id']!,
    status: 404,
    statusMessage: 'Not Found',
    headers: { a: 'b' },
    body: Uint8Array.from([0, 1, 255]),
  };
  const ran = studio.step(0, answer).find(each => each.kind === 'ran') as unknown as { values: { value: unknown }[] };
  assert.deepEqual(
    ran.values.map(each => each.value),
    [true, 404, false, Uint8Array.from([0, 1, 255]), 'b'],
  );
});

test('keeps the output and sends it to listeners', () => {
  assert.deepEqual(
    studio.run(`local Log = game:GetService("LogService")
    local heard = {}
    Log.MessageOut:Connect(function(message, kind) table.insert(heard, message .. " " .. kind.Name) end)
    print("a", nil, 1) warn("b")
    local history = Log:GetLogHistory()
    return heard, history[#history].message`),
    [['a nil 1 MessageOutput', 'b MessageWarning'], 'b'],
  );
});

test('reports an edit session', () => {
  assert.deepEqual(
    studio.run(`local Run = game:GetService("RunService")
    return Run:IsEdit(), Run:IsStudio(), Run:IsRunning(), game.PlaceId, game:FindService("Players")`),
    [true, true, false, 0, null],
  );
});
