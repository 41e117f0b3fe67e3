import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { lowered } from '../run-source.ts';

const OPTIMIZE_EAGERLY = 0x2a;

/** The hints of the WebAssembly of a program, one for each function. */
async function hintsOf(source: string): Promise<readonly number[]> {
  const [, encoded = ''] = /\$rt\.wasm\("([^"]+)"/.exec(await lowered(source)) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  const section = 'compilationHints';
  const at = bytes.indexOf(section);
  assert.ok(at >= 0, 'no hints');
  const start = at + section.length;
  const count = bytes[start] ?? 0;
  const list = Array.from(bytes.subarray(start + 1, start + 1 + count));
  // Below 128, the count is one byte.
  assert.ok(count < 128);
  return list;
}

const OWN = `
fn sum_of(items: [int]) int {
    let mut sum = 0
    for item in items { sum += twice(item) }
    return sum
}
fn twice(value: int) int { if value > 9 { return twice(value - 9) } return value * 2 }
fn main() { print(sum_of([1, 2, 30])) }`;

const WIRE = `
import std.wire
class Point {
    x: int
    fn encode(self, target: wire.Encoder) {
        target.encode_record_start()
        target.encode_field("x")
        target.encode_int(self.x)
        target.encode_record_end()
    }
}
fn main() {
    let format = wire.wire_json_format()
    for i in 0..3 {
        let encoder = wire.wire_encoder()
        Point { x: i }.encode(encoder)
        print(format.serialize(encoder.result() catch _ { return }) catch _ { return })
    }
}`;

const atOnce = (hints: readonly number[]): number => hints.filter(hint => hint === OPTIMIZE_EAGERLY).length;

test('optimizes all functions of a program at once', async () => {
  const hints = await hintsOf(OWN);
  assert.ok(hints.length >= 2);
  assert.equal(atOnce(hints), hints.length);
});

test('optimizes functions of std.wire only when they are called often', async () => {
  const hints = await hintsOf(WIRE);
  assert.ok(hints.length > 30, `${hints.length} functions`);
  assert.ok(atOnce(hints) < hints.length / 2, `${atOnce(hints)} of ${hints.length} at once`);
});

test('V8 follows the hints', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atlas-hints-'));
  try {
    for (const [name, source] of Object.entries({ own: OWN, wire: WIRE })) {
      writeFileSync(join(folder, `${name}.pt`), source);
      const runner = fileURLToPath(new URL('../../../../../../scripts/bench/pluto/run-program.ts', import.meta.url));
      const args = ['--trace-wasm-compilation-times', runner, 'pluto', name, folder];
      const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      const compiled = Array.from(stdout.matchAll(/^Compiled function (\w+)#\d+ using (\w+)/gm));
      // Node compiles another module first, to read TypeScript.
      const own = compiled.filter(([, module]) => module === compiled.at(-1)?.[1]);
      const optimized = own.filter(([, , compiler]) => compiler === 'TurboFan').length;
      assert.equal(optimized, atOnce(await hintsOf(source)));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
