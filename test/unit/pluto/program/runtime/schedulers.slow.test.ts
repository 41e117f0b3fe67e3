import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Program, Runtime, Scheduler } from '../../../../../src/pluto/program/backend/contract.ts';
import { runProgram } from '../../../../../src/pluto/program/runtime/run-program.ts';
import { runTests, type TestResult } from '../../../../../src/pluto/program/runtime/run-tests.ts';
import type { Receiver, Sender } from '../../../../../src/pluto/program/runtime/fibers/channel.ts';
import type { Wait } from '../../../../../src/pluto/program/runtime/fibers/fiber.ts';
import type { Task } from '../../../../../src/pluto/program/runtime/fibers/task.ts';
import { MemoryProgramHost } from '../../../../harness/memory-program-host.ts';

type Body = (runtime: Runtime) => Generator<unknown, unknown, unknown>;

/** A compiled program whose only test and entry point is `body`. */
const programOf =
  (body: Body, scheduler: Scheduler) =>
  (runtime: Runtime): Program => {
    const start = { isBlocking: true, run: () => body(runtime) };
    return { entry: start, tests: [{ name: 'it', ...start }], scheduler };
  };

function testOnce(body: Body, scheduler: Scheduler, environment: Readonly<Record<string, string>> = {}) {
  const host = new MemoryProgramHost();
  for (const [name, value] of Object.entries(environment)) host.environment.set(name, value);
  const endings: TestResult[] = [];
  runTests(programOf(body, scheduler), host, '', ending => endings.push(ending));
  return { problem: endings[0]?.problem, stderr: host.textOf('stderr') };
}

const spawn = (runtime: Runtime, captured: readonly unknown[], body: (...args: unknown[]) => unknown): Task =>
  runtime.spawn(captured, body, true) as Task;
const channel = (runtime: Runtime, capacity: bigint) => runtime.channel(capacity) as readonly [Sender, Receiver];
function* sendAll(sender: unknown, values: readonly unknown[]) {
  for (const value of values) yield* (sender as Sender).send(value);
}

/** Two tasks that send to one channel: the first message decides the result. */
const race: Body = function* (runtime) {
  const [sender, receiver] = channel(runtime, 2n);
  const tasks = [1n, 2n].map(value => spawn(runtime, [sender], own => sendAll(own, [value])));
  for (const task of tasks) yield* task.get();
  runtime.expectEqual(yield* receiver.recv(), 1n, 1);
};

test('misses the race when the schedule is round robin', () => {
  assert.equal(testOnce(race, 'RoundRobin').problem, '');
});

test('finds the race with random schedules, reproducibly for each seed', () => {
  const { problem } = testOnce(race, 'Random', { PLUTO_TEST_SEED: '3' });
  assert.equal(problem, 'FAIL (line 1): expected 2 to equal 1');
  assert.equal(testOnce(race, 'Random', { PLUTO_TEST_ITERATIONS: '0' }).problem, '', 'no schedule is run');
});

test('finds the race with exhaustive schedules, and reports a reached limit', () => {
  assert.equal(testOnce(race, 'Exhaustive').problem, 'FAIL (line 1): expected 2 to equal 1');
  const wide: Body = function* (runtime) {
    const [sender, receiver] = channel(runtime, 1n);
    for (const value of [1n, 2n, 3n, 4n]) spawn(runtime, [sender], own => sendAll(own, [value, value]));
    sender.close();
    while ((yield* receiver.next()) !== runtime.END);
  };
  const all = Number(/: (\d+) schedule/.exec(testOnce(wide, 'Exhaustive').stderr)?.[1]);
  assert.ok(all > 24, String(all));
  assert.match(
    testOnce(wide, 'Exhaustive', { PLUTO_MAX_SCHEDULES: '5' }).stderr,
    /^ {2}Exhaustive: 5 schedule\(s\) explored \(a limit was reached, so there are more\)\n$/,
  );
  assert.match(testOnce(wide, 'Exhaustive', { PLUTO_MAX_DEPTH: '1' }).stderr, /a limit was reached/);
});

const stuck: Body = function* (runtime) {
  const [, receiver] = channel(runtime, 1n);
  const task = spawn(runtime, [], () => receiver.recv());
  yield* task.get();
};

test('reports a deadlock with each fiber, its reason and the seed to reproduce it', () => {
  assert.equal(
    testOnce(stuck, 'RoundRobin').problem,
    'pluto: deadlock detected in test\n  Fiber 0: blocked on get of task 1\n  Fiber 1: blocked on recv on channel (1 sender is not closed)',
  );
  assert.match(testOnce(stuck, 'Random', { PLUTO_TEST_SEED: '7' }).problem ?? '', /\n {2}Seed 7, iteration 1 of 100$/);
  const host = new MemoryProgramHost();
  assert.equal(runProgram(programOf(stuck, 'Sequential'), host), 1);
  assert.match(host.textOf('stderr'), /^pluto: deadlock detected\n/);
});

test('cancels a waiting task, but not a finished one', () => {
  const cancelled: Body = function* (runtime) {
    const [, receiver] = channel(runtime, 1n);
    const waiting = spawn(runtime, [], () => receiver.recv());
    const done = spawn(runtime, [], function* () {
      yield* [];
      return 5n;
    });
    waiting.cancel();
    done.cancel();
    runtime.builtins['print']?.(yield* done.get());
    yield* waiting.get();
  };
  const host = new MemoryProgramHost();
  assert.equal(runProgram(programOf(cancelled, 'Sequential'), host), 1);
  assert.equal(host.textOf('stdout'), '5\n');
  assert.equal(host.textOf('stderr'), 'error: uncaught TaskCancelled: task cancelled\n');
});

test('reports the error of a detached task', () => {
  const detached: Body = function* (runtime) {
    const bad = runtime.errorType('Bad', ['code', 'message'], [0]);
    spawn(runtime, [], () => runtime.raise(bad, [1n, 'no'])).detach();
    yield* [];
  };
  const host = new MemoryProgramHost();
  assert.equal(runProgram(programOf(detached, 'Sequential'), host), 0);
  assert.equal(host.textOf('stderr'), 'pluto: error in detached task: no\n');
});

test('closes a channel when every sender is released, counting each once', () => {
  const counted: Body = function* (runtime) {
    const [sender, receiver] = channel(runtime, 8n);
    const task = spawn(runtime, [sender], own => sendAll(own, [1n]));
    sender.close();
    sender.close();
    runtime.release([sender]);
    yield* task.get();
    runtime.expectEqual(yield* receiver.next(), 1n, 1);
    runtime.expectTrue((yield* receiver.next()) === runtime.END, 2);
    const picked = yield* runtime.select([{ from: receiver }], true);
    runtime.expectEqual(BigInt(picked.arm), -1n, 3);
    runtime.raise(runtime.errors.MathError, ['end']);
  };
  assert.equal(testOnce(counted, 'RoundRobin').problem, 'error: uncaught MathError: end');
});

test('looks at a blocked task only when the reason of its wait changes', () => {
  let checks = 0;
  const blocked: Wait = { what: 'a wait', sources: [], isOver: () => (checks += 1) < 0 };
  const many: Body = function* (runtime) {
    for (let count = 0; count < 100; count += 1)
      spawn(runtime, [], function* () {
        yield blocked;
      });
    checks = 0;
    const [sender, receiver] = channel(runtime, 1n);
    spawn(runtime, [sender], own =>
      sendAll(
        own,
        Array.from({ length: 1000 }, () => 1n),
      ),
    );
    for (let count = 0; count < 1000; count += 1) yield* receiver.recv();
  };
  assert.equal(runProgram(programOf(many, 'Sequential'), new MemoryProgramHost()), 0);
  assert.equal(checks, 0);
});

test('ends a test with too many fibers', () => {
  const many: Body = function* (runtime) {
    const [, receiver] = channel(runtime, 1n);
    for (let count = 0; count < 300; count += 1) spawn(runtime, [], () => receiver.recv());
    yield* [];
  };
  assert.equal(testOnce(many, 'RoundRobin').problem, 'pluto: more than 256 fibers in a test');
});

test('runs other tasks while a program polls or sleeps', () => {
  const polling: Body = function* (runtime) {
    const [sender, receiver] = channel(runtime, 1n);
    spawn(runtime, [sender], own => sendAll(own, [1n, 2n, 3n]));
    sender.close();
    let sum = 0n;
    for (let isOpen = true; isOpen;)
      try {
        sum += receiver.try_recv() as bigint;
      } catch (error) {
        isOpen = runtime.caught(error).type === runtime.errors.ChannelEmpty;
      }
    runtime.builtins['print']?.(sum);
    const [later, gate] = channel(runtime, 1n);
    spawn(runtime, [], function* () {
      runtime.builtins['print']?.(yield* gate.recv());
    }).detach();
    yield* later.send(7n);
    runtime.extern('__pluto_time_sleep_ns', '')(50_000_000n);
    runtime.builtins['print']?.('awake');
  };
  const host = new MemoryProgramHost();
  assert.equal(runProgram(programOf(polling, 'Sequential'), host), 0);
  assert.equal(host.textOf('stdout'), '6\n7\nawake\n');
});
