import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mergeModels } from '../../../src/game-tests/merge-models.ts';
import type { Model, ModelInstance } from '../../../src/roblox/instances/model.ts';
import type { Variant } from '../../../src/roblox/values/variant.ts';

/** An instance of a random model; `refersTo` is a position in the order of the model, possibly after its end. */
interface Drawn {
  readonly className: string;
  readonly name: string;
  readonly refersTo: number;
  readonly children: readonly Drawn[];
}

const { drawn } = fc.letrec<{ drawn: Drawn }>(tie => ({
  drawn: fc.record({
    className: fc.constantFrom('Folder', 'Model'),
    name: fc.constantFrom('A', 'B'),
    refersTo: fc.nat(8),
    children: fc.oneof({ depthSize: 'small' }, fc.constant([]), fc.array(tie('drawn'), { maxLength: 4 })),
  }),
}));
const roots = fc.array(drawn, { maxLength: 4 });

/** A model whose instances carry their number in the property `mark`, and a reference in `${mark}Ref`. */
function modelOf(mark: string, top: readonly Drawn[], referentOf: (index: number) => string): Model {
  let count = 0;
  const build = ({ className, name, refersTo, children }: Drawn): ModelInstance => {
    const index = count;
    count += 1;
    return {
      referent: referentOf(index),
      className,
      name,
      properties: new Map<string, Variant>([
        [mark, { type: 'Float64', value: index }],
        [`${mark}Ref`, { type: 'Ref', value: referentOf(refersTo) as never }],
        [`${mark}Object`, { type: 'Content', value: { kind: 'object', ref: referentOf(refersTo) as never } }],
        ['Side', { type: 'String', value: mark }],
      ]),
      children: children.map(build),
    };
  };
  return { roots: top.map(build), metadata: new Map() };
}

interface Placed {
  readonly instance: ModelInstance;
  readonly parent: ModelInstance | undefined;
}

function everyInstance(model: Model): readonly Placed[] {
  const list: Placed[] = [];
  const visit = (instances: readonly ModelInstance[], parent: ModelInstance | undefined): void => {
    for (const instance of instances) {
      list.push({ instance, parent });
      visit(instance.children, instance);
    }
  };
  visit(model.roots, undefined);
  return list;
}

const markOf = (instance: ModelInstance | undefined, mark: string): unknown => instance?.properties.get(mark)?.value;

/** Asserts that the instances of one model are in the result once each, with their parents, values and references. */
function assertContains(merged: readonly Placed[], model: Model, mark: string): void {
  const byReferent = new Map(merged.map(({ instance }) => [instance.referent, instance]));
  const ownByReferent = new Map(everyInstance(model).map(({ instance }) => [instance.referent, instance]));
  const found = merged.filter(({ instance }) => instance.properties.has(mark));
  assert.equal(found.length, ownByReferent.size);
  const byMark = new Map(found.map(placed => [markOf(placed.instance, mark), placed]));
  for (const { instance, parent } of everyInstance(model)) {
    const { instance: now, parent: parentNow } = byMark.get(markOf(instance, mark)) ?? assert.fail('missing');
    assert.equal(now.className, instance.className);
    assert.equal(markOf(parentNow, mark), markOf(parent, mark));
    assert.equal(parentNow === undefined, parent === undefined);
    for (const name of [`${mark}Ref`, `${mark}Object`]) {
      const wanted = ownByReferent.get(targetOf(instance, name));
      const target = byReferent.get(targetOf(now, name));
      if (wanted !== undefined) assert.equal(markOf(target, mark), markOf(wanted, mark));
      else if (mark === 'Place') assert.equal(target, undefined, 'no instance of the added model');
    }
  }
}

function targetOf(instance: ModelInstance, name: string): string {
  const value = instance.properties.get(name);
  if (value?.type === 'Ref') return value.value;
  return value?.type === 'Content' && value.value.kind === 'object' ? value.value.ref : assert.fail(name);
}

test('keeps every instance, value and reference of both models when a model is added to a place', () => {
  fc.assert(
    fc.property(roots, roots, fc.constantFrom('', 'place '), (ofPlace, ofProject, prefix) => {
      const place = modelOf('Place', ofPlace, String);
      const project = modelOf('Project', ofProject, index => `${prefix}${index}`);
      const merged = everyInstance(mergeModels(place, project));
      assert.equal(new Set(merged.map(({ instance }) => instance.referent)).size, merged.length, 'unique referents');
      assertContains(merged, place, 'Place');
      assertContains(merged, project, 'Project');
      for (const { instance } of merged) {
        const side = instance.properties.has('Project') ? 'Project' : 'Place';
        assert.equal(markOf(instance, 'Side'), side, 'the added model wins');
      }
    }),
  );
});

test('has each name and class as often as the model that has it more often', () => {
  fc.assert(
    fc.property(roots, roots, (ofPlace, ofProject) => {
      const place = modelOf('Place', ofPlace, String);
      const project = modelOf('Project', ofProject, index => `own ${index}`);
      const assertCounts = (parts: readonly ModelInstance[], isTop: boolean): void => {
        const key = ({ className, name }: ModelInstance): string => (isTop ? className : `${className} ${name}`);
        for (const group of Map.groupBy(parts, key).values()) {
          const having = (mark: string): number => group.filter(each => each.properties.has(mark)).length;
          assert.equal(group.length, Math.max(having('Place'), having('Project')));
        }
        for (const { children } of parts) assertCounts(children, false);
      };
      assertCounts(mergeModels(place, project).roots, true);
    }),
  );
});
