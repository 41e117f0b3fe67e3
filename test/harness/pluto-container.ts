import assert from 'node:assert/strict';
import { nodeHasher } from '../../src/adapters/node/hasher.ts';
import { readContainer, writeContainer } from '../../src/pluto/language/container/container.ts';
import { carryIds } from '../../src/pluto/language/identity/carry-ids.ts';
import { freshIds } from '../../src/pluto/language/identity/ids.ts';
import { parseModule } from '../../src/pluto/language/syntax/parse.ts';
import { sequentialRandom } from './sequential-random.ts';

/** Builds a container with this text, sequential item ids and an unknown section. */
export function containerOf(text: string): Uint8Array {
  const module = parseModule(text);
  carryIds({ before: undefined, after: module, makeId: freshIds(sequentialRandom()) });
  const meta = { module: 'made', tool: { name: 'test', version: '1' }, revision: 1 };
  const unknown = { tag: 'XTRA', isRequired: false, bytes: new Uint8Array([1, 2, 3]) };
  return writeContainer({ meta, module, optional: [unknown] }, nodeHasher);
}

/** The text of the module in a container. */
export function textInContainer(bytes: Uint8Array): string {
  const read = readContainer(bytes, nodeHasher);
  assert.ok(read.ok);
  return read.value.module.text;
}
