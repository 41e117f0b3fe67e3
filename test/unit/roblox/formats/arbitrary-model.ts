import fc from 'fast-check';
import type { Ref } from '../../../../src/base/brand.ts';
import { NULL_REF } from '../../../../src/roblox/values/ref.ts';
import type { Model, ModelInstance } from '../../../../src/roblox/instances/model.ts';
import type { Variant, VariantType } from '../../../../src/roblox/values/variant.ts';
import { plainTypes, variantOf } from '../values/arbitrary-variant.ts';

/** Types that attributes have in files. */
const attributeTypes: readonly VariantType[] = [
  ...(['Bool', 'BrickColor', 'CFrame', 'Color3', 'ColorSequence', 'EnumItem', 'Float32', 'Float64', 'Font'] as const),
  ...(['Int32', 'NumberRange', 'NumberSequence', 'Rect', 'String', 'UDim', 'UDim2', 'Vector2', 'Vector3'] as const),
];
/** Types that neither format supports. */
const withoutForm: ReadonlySet<string> = new Set(['EnumItem', 'Region3', 'Region3int16']);
/** Types that files store as bytes, for declared properties. */
const heldAsBytes: ReadonlySet<string> = new Set(['Tags', 'MaterialColors']);

const fileTypes = plainTypes.filter(type => !withoutForm.has(type));

const attributes: fc.Arbitrary<Variant> = fc
  .dictionary(
    fc.string({ minLength: 1 }),
    fc.oneof(...plainTypes.filter(type => attributeTypes.includes(type)).map(variantOf)),
    { maxKeys: 6 },
  )
  .map(entries => ({ type: 'Attributes', value: new Map(Object.entries(entries)) }));

/** A property of any type with a name that Roblox does not declare, so that every type is tested. */
const freeProperty = fc
  .constantFrom(...fileTypes.filter(type => type !== 'Ref' && type !== 'Content' && !heldAsBytes.has(type)))
  .chain(type => variantOf(type).map((value): [string, Variant] => [`Free${type}`, value]));

interface Shape {
  readonly className: string;
  readonly name: string;
  readonly properties: readonly [string, Variant][];
  readonly attributes: Variant | undefined;
  readonly tags: readonly string[];
  readonly points: number;
  readonly children: readonly Shape[];
}
const { shape } = fc.letrec<{ shape: Shape }>(tie => ({
  shape: fc.record({
    className: fc.constantFrom('Folder', 'Part', 'ModuleScript', 'ObjectValue', 'Bogus'),
    name: fc.string({ unit: 'grapheme' }),
    properties: fc.array(freeProperty, { maxLength: 5 }),
    tags: fc.array(
      fc.string({ minLength: 1 }).filter(tag => !tag.includes('\0')),
      { maxLength: 3 },
    ),
    attributes: fc.option(attributes, { nil: undefined }),
    points: fc.nat({ max: 6 }),
    children: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('shape'), { maxLength: 3 })),
  }),
}));

/**
 * Any model with unique referents `r0`, `r1`, … in tree order, and references between its instances. Values are of the type that their
 * property has in files: other types would be converted.
 */
export const anyModel: fc.Arbitrary<Model> = fc.array(shape, { maxLength: 3 }).map(shapes => {
  let count = 0;
  const build = (of: Shape): ModelInstance => {
    const referent = `r${count++}`;
    const children = of.children.map(build);
    // Forward, backward, itself or, past the last one, no instance.
    const pointed = of.points < count ? (`r${of.points}` as Ref) : NULL_REF;
    const properties = new Map<string, Variant>(of.properties);
    properties.set('FreeRef', { type: 'Ref', value: pointed });
    properties.set('Tags', { type: 'Tags', value: of.tags });
    if (of.attributes) properties.set('Attributes', of.attributes);
    if (of.className === 'ModuleScript') properties.set('Source', { type: 'String', value: `${of.name}\r\n]]>&<\t` });
    return { referent, className: of.className, name: of.name, properties, children };
  };
  return { roots: shapes.map(build), metadata: new Map([['ExplicitAutoJoints', 'true']]) };
});
