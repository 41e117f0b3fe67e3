import { readdirSync, readFileSync } from 'node:fs';
import type { Ref } from '../../../../src/base/brand.ts';
import { NULL_REF } from '../../../../src/roblox/values/ref.ts';
import type { Variant } from '../../../../src/roblox/values/variant.ts';
import type { Model, ModelInstance } from '../../../../src/roblox/instances/model.ts';

const fixtures = new URL('../../../fixtures/', import.meta.url);

/** A model or place that Roblox Studio saved in both formats. */
export interface ModelFile {
  readonly name: string;
  readonly xml: string;
  readonly binary: Uint8Array;
}

/** XML files that are in `examples` and not in the fixtures. */
const inExamples: Readonly<Record<string, URL>> = {
  'places/baseplate-566': new URL('../../examples/places/baseplate-566.rbxlx', fixtures),
};

const load = (folder: 'models' | 'places', xml: string, binary: string): ModelFile[] =>
  readdirSync(new URL(folder, fixtures), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => ({
      name: `${folder}/${name}`,
      xml: readFileSync(inExamples[`${folder}/${name}`] ?? new URL(`${folder}/${name}/${xml}`, fixtures), 'utf8'),
      binary: new Uint8Array(readFileSync(new URL(`${folder}/${name}/${binary}`, fixtures))),
    }));

export const modelFiles: readonly ModelFile[] = [
  ...load('models', 'xml.rbxmx', 'binary.rbxm'),
  ...load('places', 'xml.rbxlx', 'binary.rbxl'),
];

export function* instancesOf(model: Model): Generator<ModelInstance> {
  const waiting = model.roots.toReversed();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    waiting.push(...next.children.toReversed());
  }
}

/** The model with referents numbered in tree order, so that models of different files can be compared. */
export function renumbered(model: Model): Model {
  const numbers = new Map(Array.from(instancesOf(model), ({ referent }, index) => [referent, `r${index}`]));
  const point = (ref: string): Ref => (numbers.get(ref) ?? NULL_REF) as Ref;
  const value = (variant: Variant): Variant => {
    if (variant.type === 'Ref') return { type: 'Ref', value: point(variant.value) };
    if (variant.type !== 'Content' || variant.value.kind !== 'object') return variant;
    return { type: 'Content', value: { kind: 'object', ref: point(variant.value.ref) } };
  };
  const renumber = (instance: ModelInstance): ModelInstance => ({
    ...instance,
    referent: point(instance.referent),
    properties: new Map(Array.from(instance.properties, ([name, variant]) => [name, value(variant)])),
    children: instance.children.map(renumber),
  });
  return { ...model, roots: model.roots.map(renumber) };
}
