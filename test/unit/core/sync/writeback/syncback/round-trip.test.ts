import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Model, ModelInstance } from '../../../../../../src/core/dom/model.ts';
import type { Variant } from '../../../../../../src/core/dom/variant.ts';
import { variantToWire } from '../../../../../../src/core/dom/variant-wire.ts';
import { buildModel } from '../../../../../../src/core/sync/build/build-model.ts';
import { readXmlModel } from '../../../../../../src/core/formats/rbxmx/read.ts';
import { compareByteOrder } from '../../../../../../src/core/sync/project/byte-order.ts';
import { isReferenceAttribute } from '../../../../../../src/core/sync/resolve-references.ts';
import { builtAndRead } from '../../../../../harness/built-tree.ts';
import { openProject } from '../../../../../harness/project-world.ts';
import { reflection } from '../../../../../harness/reflection.ts';
import { linesOf, planOf, syncback } from '../../../../../harness/syncback.ts';
import { anyModel } from '../../../formats/arbitrary-model.ts';
import { modelFiles } from '../../../formats/model-files.ts';

const projects = {
  rojo: { 'default.project.json': '{"tree": {"$className": "DataModel", "$path": "src"}}', 'src/.keep': '' },
  atlas: {
    'default.project.json5': '{tree: {$className: "DataModel", $path: "src"}, syncbackRules: {syncUnscriptable: true}}',
    'src/.keep': '',
  },
} as const;
const dialects = ['rojo', 'atlas'] as const;

const inPlace = (roots: readonly ModelInstance[]): Model => {
  const folder = { referent: 'top', className: 'Folder', name: 'any', properties: new Map(), children: roots };
  const service = { referent: 'service', className: 'ReplicatedStorage', name: 'ReplicatedStorage' };
  return { roots: [{ ...service, properties: new Map(), children: [folder] }], metadata: new Map() };
};

/** A model without what no file says: order of siblings, defaults, ids of the file. */
function plain(model: Model): unknown {
  const paths = new Map<string, string>();
  const note = (instances: readonly ModelInstance[], above: string): void => {
    for (const { referent, name, className, children } of instances) {
      paths.set(referent, `${above}/${className} ${name}`);
      note(children, `${above}/${className} ${name}`);
    }
  };
  note(model.roots, '');
  const form = ({ name, className, properties, children }: ModelInstance): object => ({
    name,
    className,
    properties: Array.from(properties)
      .filter(([key, value]) => !isNothing(className, key, value))
      .map(([key, value]) => [key, value.type === 'Ref' ? (paths.get(value.value) ?? null) : valueOf(value)])
      .filter(([, value]) => value !== null)
      .map(entry => entry.join(' '))
      .toSorted(compareByteOrder),
    children: sorted(children.map(form)),
  });
  return sorted(model.roots.map(form));
}

const sorted = (forms: readonly object[]): readonly object[] =>
  forms.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** Values of types that differ only in what nobody declares: bytes and texts, widths of numbers. */
function valueOf(value: Variant): string {
  if (value.type === 'Attributes') {
    const named = Array.from(value.value).filter(([name]) => !isReferenceAttribute(name));
    return JSON.stringify(named.map(([name, each]) => `${name} ${valueOf(each)}`).toSorted(compareByteOrder));
  }
  const lf = value.type === 'String' ? { ...value, value: value.value.replaceAll('\r\n', '\n') } : value;
  return JSON.stringify(variantToWire(lf), (_key, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
}

function isNothing(className: string, name: string, value: Variant): boolean {
  if (value.type === 'UniqueId' || (name === 'NeedsPivotMigration' && value.value === false)) return true;
  const known = reflection.defaultOf(className, name);
  if (known) return valueOf(known) === valueOf(value);
  return ['', 0, 0n, false, null, 'Default'].some(nothing => Object.is(nothing, value.value));
}

for (const dialect of dialects)
  test(`${dialect}: any place becomes files that are read back as the place, and need no second writing`, async () => {
    await fc.assert(
      fc.asyncProperty(anyModel, async model => {
        using world = await openProject(projects[dialect]);
        const wanted = inPlace(model.roots);
        await syncback(world, wanted);
        assert.deepEqual(world.session.diagnostics(), []);
        assert.deepEqual(linesOf(await planOf(world, wanted)), []);
        const built = buildModel(world.session, 'place', reflection);
        assert.ok(built);
        assert.deepEqual(plain(built.model), plain(wanted));
        using again = await openProject(world.files.copy());
        assert.deepEqual(linesOf(await planOf(again, built.model)), []);
      }),
      { numRuns: 60 },
    );
  });

for (const { name, xml } of modelFiles)
  for (const dialect of dialects)
    test(`${dialect}: ${name}, brought into an empty project and built, is what it was`, async () => {
      const model = readXmlModel(xml, reflection);
      assert.ok(model.ok);
      using world = await openProject(projects[dialect]);
      const wanted = inPlace(model.value.roots);
      await syncback(world, wanted);
      // Services and such in a folder are worth a warning.
      const errors = world.session.diagnostics().filter(({ severity }) => severity === 'error');
      assert.deepEqual(errors, []);
      assert.deepEqual(linesOf(await planOf(world, wanted)), []);
      using again = await openProject(world.files.copy());
      assert.deepEqual(linesOf(await planOf(again, builtAndRead(world.session, 'rbxl'))), []);
    });
