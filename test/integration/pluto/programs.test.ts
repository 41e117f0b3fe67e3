import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { callTool } from '../../harness/mcp-client.ts';
import { type PlutoClient, plutoClient } from '../../harness/pluto-client.ts';

const main = `import std.io
import std.fs

fn main() int {
    print(f"hello {io.read_line()}")
    fs.write_all("said.txt", "hello") catch e { print(e.message) }
    fs.write_all("main.pluto", "gone") catch e { print(e.message) }
    fs.write_all("../out.txt", "gone") catch e { print(e.message) }
    return 3
}
`;
const broken = 'fn main() {\n    print(nothing)\n}\n';
const library = 'pub fn one() int {\n    return 1\n}\n';
// No other test uses this module: it stays edited, and tests run in any order.
const edited = 'pub fn two() int {\n    return 1\n}\n';
const server = 'class Clock { fn now(self) int { return 1 } }\nfn main() { serve Clock {} on 0 }\n';
const endless = `fn main() {
    print("begun")
    while true {}
}

test "ends" {
    expect(1).to_equal(1)
}

test "does not end" {
    while true {}
}
`;
const orders = `fn send_all(tx: Sender<int>, count: int) {
    for i in 0..count { tx.send(i) catch e { return } }
}

fn sum_of(tasks: int, count: int) int {
    let (tx, rx) = chan<int>(1)
    for i in 0..tasks { (spawn send_all(tx, count)).detach() }
    let mut sum = 0
    for i in 0..tasks * count { sum += rx.recv() catch e { 0 } }
    return sum
}

tests[scheduler: Exhaustive] {
    test "few" { expect(sum_of(2, 1)).to_equal(0) }
    test "too many" { expect(sum_of(4, 4)).to_equal(24) }
}
`;
const loud = 'fn main() {\n    while true { print("again and again") }\n}\n';
const failing = 'error Bad { message: string }\nfn main() {\n    raise Bad { message: "no" }\n}\n';

let pluto: PlutoClient;
before(async () => {
  pluto = await plutoClient({
    'main.pluto': main,
    'broken.pluto': broken,
    'lib/library.pluto': library,
    'edited/edited.pluto': edited,
    'endless.pluto': endless,
    'loud.pluto': loud,
    'orders.pluto': orders,
    'failing.pluto': failing,
    'server.pluto': server,
  });
});
after(() => pluto[Symbol.asyncDispose]());

test('returns output and status of a program, which can write project files but no modules', async () => {
  const ran = await pluto.call('run', { path: 'main.pluto', stdin: 'wörld\n', args: ['x'] });
  const { success, exit_code, stdout, stderr, diagnostics, outcome } = ran;
  assert.deepEqual([success, exit_code, stderr, diagnostics, outcome], [false, 3, '', [], 'done']);
  const [first, second, third] = String(stdout).split('\n');
  assert.equal(first, 'hello wörld');
  assert.match(second ?? '', /^main\.pluto: programs cannot change Pluto modules/);
  assert.match(third ?? '', /^\.\.\/out\.txt: programs can only access files in the project/);
  assert.equal((await pluto.read('said.txt')).toString(), 'hello');
  assert.match(String(ran['summary']), /exited with status 3\..*arguments were not used/);
});

test('prints an uncaught error with its position, and exits with 1', async () => {
  const { exit_code, stderr } = await pluto.call('run', { path: 'failing.pluto' });
  assert.deepEqual([exit_code, stderr], [1, 'error: uncaught Bad: no\n  at failing.pluto:3\n']);
});

test('refuses to run a program that does not compile, with the reason', async () => {
  for (const tool of ['run', 'test', 'compile']) {
    const { success, diagnostics, outcome } = await pluto.call(tool, { path: 'broken.pluto' });
    assert.deepEqual([success, outcome], [false, 'refused']);
    const [found] = diagnostics as readonly Record<string, unknown>[];
    assert.deepEqual([found?.['file'], found?.['line'], found?.['severity']], ['broken.pluto', 2, 'error']);
  }
  const codeOf = async (path: string): Promise<unknown> => {
    const { diagnostics } = await pluto.call('run', { path });
    return (diagnostics as readonly Record<string, unknown>[])[0]?.['code'];
  };
  assert.equal(await codeOf('lib/library.pluto'), 'no-entry');
  assert.equal(await codeOf('server.pluto'), 'not-supported');
});

test('names the exceeded limit, and returns the output so far', async () => {
  const slow = await callTool(pluto.client, 'run', { path: 'endless.pluto', timeout: 2 });
  assert.equal(slow.isError, true);
  const { exit_code, stdout, outcome, error } = slow.answer;
  assert.deepEqual([exit_code, stdout, outcome], [-1, 'begun\n', 'failed']);
  assert.deepEqual((error as Record<string, unknown>)['code'], 'PLUTO_PROGRAM_STOPPED');
  assert.match(String((error as Record<string, unknown>)['message']), /exceeded its time limit \(2 seconds\)/);
  const big = await callTool(pluto.client, 'run', { path: 'loud.pluto' });
  assert.match(String((big.answer['error'] as Record<string, unknown>)['message']), /exceeded its output limit/);
  assert.ok(String(big.answer['stdout']).length <= 1 << 20);
});

test('runs unsaved edits, and says so', async () => {
  const [found] = await pluto.list('find_declaration', { name: 'two' });
  await pluto.call('replace_declaration', { id: found?.['id'], source: 'pub fn two() int {\n    return 2\n}' });
  await pluto.call('add_declaration', { path: 'edited/edited.pluto', source: 'fn main() int {\n    return two()\n}' });
  const { exit_code, summary } = await pluto.call('run', { path: 'edited/edited.pluto' });
  assert.deepEqual(
    [exit_code, /Unsaved edits were included \(edited\/edited\.pluto\)/.test(String(summary))],
    [2, true],
  );
  assert.equal((await pluto.read('edited/edited.pluto')).toString(), edited);
});

test('runs only tests whose names contain the filter', async () => {
  const { isError, answer } = await callTool(pluto.client, 'test', { path: 'endless.pluto', filter: 'ends' });
  assert.deepEqual([isError, answer['passed'], answer['failed']], [false, 1, 0]);
  const none = await pluto.call('test', { path: 'endless.pluto', filter: 'nothing of that name' });
  assert.deepEqual([none['success'], none['results'], none['outcome']], [false, [], 'refused']);
  assert.match(String(none['summary']), /has no test whose name contains "nothing of that name"/);
});

test('reports no success when a module has no tests', async () => {
  const { success, outcome, summary } = await pluto.call('test', { path: 'main.pluto' });
  assert.deepEqual([success, outcome], [false, 'refused']);
  assert.match(String(summary), /no tests found in main\.pluto/);
});

test('reports when a test did not try every task order', async () => {
  const { success, results, summary } = await pluto.call('test', { path: 'orders.pluto' });
  const [few, many] = results as readonly { readonly schedules: { explored: number; complete: boolean } }[];
  assert.deepEqual([success, few?.schedules.complete], [true, true], String(summary));
  assert.deepEqual(many?.schedules, { explored: 10_000, complete: false });
  assert.match(String(summary), /^2 tests passed, 0 failed\. 1 test did not try every task order:/);
});
