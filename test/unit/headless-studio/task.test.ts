import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startTestStudio, type TestStudio } from '../../harness/luau-vm.ts';

let studio: TestStudio;
beforeEach(async () => {
  studio = await startTestStudio();
});

test('runs spawn at once, defer after the running threads, and delay at its time', () => {
  assert.deepEqual(
    studio.run(`local order = {}
    local function note(name) table.insert(order, name) end
    task.delay(2, note, "delayed 2")
    task.delay(1, note, "delayed 1")
    task.defer(note, "deferred")
    task.spawn(function() note("spawned") task.wait(1.5) note("woken") end)
    note("here")
    task.wait(3)
    return order`),
    [['spawned', 'here', 'deferred', 'delayed 1', 'woken', 'delayed 2']],
  );
});

test('resumes threads in the order of their waits when they are due at the same time', () => {
  assert.deepEqual(
    studio.run(`local order = {}
    for i = 1, 50 do task.delay(1 + (i % 3) * 0, function() table.insert(order, i) end) end
    task.wait(2)
    for i = 2, #order do if order[i] < order[i - 1] then return "out of order at " .. i end end
    return #order`),
    [50],
  );
});

test('returns the elapsed seconds from wait, and runs other threads during a loop of waits', () => {
  const [waited, turns] = studio.run(`local turns = 0
    local thread = task.spawn(function() while true do turns += 1 task.wait() end end)
    local waited = task.wait(0.5)
    task.cancel(thread)
    return waited, turns`);
  assert.equal(waited, 0.5);
  assert.ok(Number(turns) >= 1);
});

test('never resumes a cancelled thread', () => {
  assert.deepEqual(
    studio.run(`local reached = false
    local thread = task.delay(1, function() reached = true end)
    task.cancel(thread)
    local deferred = task.defer(function() reached = true end)
    task.cancel(deferred)
    task.wait(2)
    return reached, coroutine.status(thread)`),
    [false, 'dead'],
  );
});

test('ignores the old timer of a wait whose thread was resumed by other code', () => {
  assert.deepEqual(
    studio.run(`local order = {}
    local thread = task.spawn(function()
      table.insert(order, "first " .. tostring(task.wait(1)))
      table.insert(order, "second " .. tostring(task.wait(3)))
      table.insert(order, "third " .. tostring(coroutine.yield()))
    end)
    task.wait(0.5)
    task.spawn(thread, "early")
    task.wait(1)
    table.insert(order, "after the old timer")
    task.wait(2.5)
    table.insert(order, "after the new timer")
    coroutine.resume(thread, "end")
    return order`),
    [['first early', 'after the old timer', 'second 3', 'after the new timer', 'third end']],
  );
});

for (const [name, wait, end] of [
  ['a signal', 'folder:GetPropertyChangedSignal("Name"):Wait()', 'folder.Name = "New"'],
  ['a child', 'folder:WaitForChild("Part")', 'Instance.new("Part", folder)'],
  ['a child with a time limit', 'folder:WaitForChild("Part", 1)', 'task.wait(1)'],
] as const)
  test(`does not resume a thread that waited for ${name} and was resumed by other code`, () => {
    assert.deepEqual(
      studio.run(`local order = {}
      local folder = Instance.new("Folder")
      local thread = task.spawn(function()
        table.insert(order, ${wait})
        table.insert(order, coroutine.yield())
      end)
      task.spawn(thread, "early")
      ${end}
      task.wait(0.1)
      task.spawn(thread, "end")
      return order`),
      [['early', 'end']],
    );
  });

test('ends only the thread that raises an error, and shows the error with its line', () => {
  assert.deepEqual(
    studio.run(`task.spawn(function()
      error("broken")
    end)
    return "unharmed"`),
    ['unharmed'],
  );
  const [log] = studio.messages.filter(message => message.kind === 'log');
  assert.equal(log?.['level'], 'error');
  assert.match(log?.['message'] as string, /^test\/chunk:2: broken\n.*test\/chunk:2/s);
});

test('resumes inside a pcall that yielded', () => {
  assert.deepEqual(studio.run('return pcall(function() task.wait(1) error("late", 0) end)'), [false, 'late']);
});

test('counts frames only while they are observed', () => {
  const frames = studio.run(`local count = 0
    local connection = game:GetService("RunService").Heartbeat:Connect(function(seconds) count += 1 end)
    task.wait(1)
    connection:Disconnect()
    local seen = count
    task.wait(1)
    return seen, count == seen`);
  assert.ok(Number(frames[0]) >= 55 && Number(frames[0]) <= 61);
  assert.equal(frames[1], true);
});

test('does not block the host when threads defer without end', () => {
  studio.run('local function again() task.defer(again) end again()');
  assert.deepEqual(studio.run('return "still there"'), ['still there']);
});
