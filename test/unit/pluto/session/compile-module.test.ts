import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { addDeclaration } from '../../../../src/pluto/session/edits/add-declaration.ts';
import { compileModule } from '../../../../src/pluto/session/programs/compile-module.ts';
import { CountingSlice } from '../../../harness/counting-slice.ts';
import { SessionWorld, signal } from '../language/session-world.ts';

const main = 'main.pluto' as ProjectPath;
const calls = Array.from({ length: 50 }, (_, index) => `print(part${index}())`);
const parts = Array.from({ length: 50 }, (_, index) => `fn part${index}() int {\n    return ${index}\n}\n`);
const source = `fn main() {\n    ${calls.join('\n    ')}\n}\n${parts.join('')}`;

test('compiles in slices from the modules as they were at the start', async () => {
  const order: string[] = [];
  let turns = 0;
  let edited: Promise<unknown> | undefined;
  const edit = { path: main, source: 'fn later() {}', position: 'end' } as const;
  class EditingSlice extends CountingSlice {
    override isUsedUp(): boolean {
      if (!isCompiling) return false;
      turns += 1;
      // Requested during the compilation.
      edited ??= addDeclaration(world.session, edit, signal).then(() => order.push('edited'));
      return false;
    }
  }
  let isCompiling = false;
  const world = await SessionWorld.of({ [main]: source }, { slice: new EditingSlice() });
  await world.session.modules(signal);
  isCompiling = true;
  const compiled = await compileModule(world.session, main, 'run', signal);
  isCompiling = false;
  order.push('compiled');
  await edited;
  assert.equal(compiled.kind, 'compiled');
  assert.ok(turns >= calls.length, `${turns} turns for ${calls.length} functions`);
  assert.deepEqual(order, ['compiled', 'edited']);
});
