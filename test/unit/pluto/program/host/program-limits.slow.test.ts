import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runnerIn } from '../../../../harness/program-runner.ts';
import { lowered } from '../backend/run-source.ts';

const never = new AbortController().signal;
/** A time limit in seconds that no program here reaches, even on a busy machine. */
const AMPLE = 280;

const beyond = {
  time: 'while true {}',
  output: 'while true { print(1234567) }',
  memory: 'let mut list: [int] = []\n    while true { list.push(1) }',
  'time, with objects':
    'let mut link = Link { all: [1], next: none }\n    while true { link = Link { all: link.all, next: none } }',
  'output, with strings': 'let mut text = "a"\n    while true { print(f"{text} and {text.len()}") }',
  'memory, with objects': [
    'let mut link = Link { all: [], next: none }',
    'while true {',
    'link = Link { all: [1], next: link }',
    'for i in 0..100000 { link.all.push(i) }',
    '}',
  ].join('\n'),
  'time, with enums':
    'let mut chain = Chain.End\n    while true { chain = next(Chain.Node { size: 1, next: Chain.End }) }',
  'memory, with enums': 'let mut chain = Chain.End\n    while true { chain = Chain.Node { size: 1, next: chain } }',
  'memory, with lists of strings':
    'let mut all = ["a"]\n    let mut n = 0\n    while true {\n        n += 1\n        all.push(f"{n}")\n    }',
  'time, with maps': 'let all = Map<int, int> { 1: 2 }\n    while true { all[1] += 1 }',
  'memory, with maps':
    'let all = Map<int, int> {}\n    let mut n = 0\n    while true {\n        n += 1\n        all[n] = n\n    }',
};
const CHAIN = `enum Chain {
    End
    Node { size: int, next: Chain }
}
fn next(chain: Chain) Chain {
    return match chain {
        Chain.End => chain,
        Chain.Node { size, next } => next
    }
}
`;
const LINK = 'class Link {\n    all: [int]\n    next: Link?\n}\n';
/** A list of tasks keeps a loop in JavaScript. */
const inJavaScript = (body: string): string =>
  body.replaceAll(/(while|for) .*? \{/g, '$&\nlet lists_in_$1: [Task<int>] = []\n');
const bodies = { WebAssembly: (body: string) => body, JavaScript: inJavaScript };

for (const [emitter, bodyOf] of Object.entries(bodies))
  for (const [what, body] of Object.entries(beyond))
    test(`stops a program in ${emitter} at its limit of ${what}, and keeps its output`, async () => {
      const [budget = ''] = what.split(',');
      const text = await lowered(`${LINK}${CHAIN}fn main() {\n    print("begun")\n    ${bodyOf(body)}\n}`);
      assert.equal(text.includes('$rt.wasm("'), emitter === 'WebAssembly');
      // Small, because a full heap is collected again and again. The first of each emitter has the memory of all programs.
      const { runner, folder } = await runnerIn(what === 'memory' ? {} : { megabytes: 128 });
      await using _ = folder;
      const seconds = budget === 'time' ? 1 : AMPLE;
      const { stopped, stdout, stderr } = await runner.run(text, { stdin: '', seconds }, never);
      assert.match(stdout, /^begun\n/);
      // A list or map that does not fit is noticed before the memory is used up.
      if (stopped === undefined)
        assert.match(
          `${budget}: ${stderr}`,
          /^memory: pluto: out of memory: a (list is too long|map or set is too large)/,
        );
      else assert.equal(stopped.budget, budget);
    });
