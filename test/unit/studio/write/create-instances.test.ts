import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ref } from '../../../../src/base/brand.ts';
import type { FileTransactions } from '../../../../src/ports/file-transactions.ts';
import type { ProjectSession } from '../../../../src/project/project-session.ts';
import { createInstances } from '../../../../src/studio/write/create-instances.ts';
import { openProject, smallProject } from '../../../harness/project-world.ts';
import { studioInstance } from '../../../harness/pulls.ts';

const signal = new AbortController().signal;
const transactions: FileTransactions = {
  begin: async () => ({ runId: 'run', finish: async () => undefined }),
};
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** Creates `count` parts in a model of as many others. @returns how often an instance was looked up */
async function lookupsFor(count: number): Promise<number> {
  using world = await openProject(
    smallProject({
      'src/Model.model.json': JSON.stringify({
        className: 'Model',
        children: numbers(count).map(index => ({ name: `Old${index}`, className: 'Part' })),
      }),
    }),
  );
  let lookups = 0;
  const session: ProjectSession = new Proxy(world.session, {
    get(target, property) {
      if (property === 'get')
        return (id: Ref) => {
          lookups += 1;
          return target.get(id);
        };
      const member: unknown = Reflect.get(target, property, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  const parentId = world.at('ReplicatedStorage/Model').id;
  const { outcomes } = await createInstances(
    numbers(count).map(index => ({ parentId, studio: studioInstance(`New${index}`, 'Part') })),
    { session, files: world.files, transactions, signal },
  );
  assert.deepEqual(
    outcomes.filter(({ outcome }) => outcome !== 'written'),
    [],
  );
  assert.equal(world.at('ReplicatedStorage/Model').children.length, 2 * count);
  return lookups;
}

test('looks up four times as many instances when Studio creates four times as many', async () => {
  const [few, many] = [await lookupsFor(50), await lookupsFor(200)];
  assert.ok(many <= 4 * few, `${few} lookups for 50 instances, ${many} for 200`);
});
