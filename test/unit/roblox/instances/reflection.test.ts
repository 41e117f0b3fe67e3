import { test } from 'node:test';
import assert from 'node:assert/strict';
import { isVariantType, variantFromWire } from '../../../../src/roblox/values/variant-wire.ts';
import { reflection, reflectionData } from '../../../harness/reflection.ts';

test('has a known type, scriptability and serialization in every row of the generated data', () => {
  const scriptabilities = new Set(['ReadWrite', 'Read', 'Write', 'Custom', 'None']);
  for (const [type, scriptability, how] of reflectionData.rows) {
    assert.ok(
      type.startsWith('@') ? Object.hasOwn(reflectionData.enums, type.slice(1)) : isVariantType(type),
      `type ${type}`,
    );
    assert.ok(scriptabilities.has(scriptability), scriptability);
    assert.ok(how === 0 || how === 1 || 'as' in how || 'aliasFor' in how || how.to.length > 0);
  }
});

test('refers only to existing rows, values and superclasses in the generated data', () => {
  for (const [name, [superclass, , properties, defaults]] of Object.entries(reflectionData.classes)) {
    if (name !== 'Object') assert.ok(reflection.hasClass(superclass), `${name} extends ${superclass}`);
    for (const row of Object.values(properties)) assert.ok(row in reflectionData.rows, name);
    for (const value of Object.values(defaults)) assert.ok(value === null || value in reflectionData.values, name);
  }
});

test('decodes every default of the generated data', () => {
  for (const value of reflectionData.values) {
    const decoded = variantFromWire(value);
    assert.ok(decoded.ok, `${JSON.stringify(value)}: ${decoded.ok ? '' : decoded.error}`);
  }
});

test('has all classes, properties and enums of Roblox 0.728', () => {
  assert.equal(reflection.version, '0.728.0.7280895');
  assert.equal(reflection.classNames().length, 892);
  assert.equal(Object.keys(reflectionData.enums).length, 596);
  assert.equal(reflection.classNames().filter(name => reflection.isService(name)).length, 322);
  const defaults = reflection.classNames().reduce((sum, name) => sum + reflection.defaultNames(name).size, 0);
  // Of 8060, the 11 that are infinite are not known to the JSON database.
  assert.equal(defaults, 8049);
});

test('isA is true for the class and its superclasses only', () => {
  assert.ok(reflection.isA('Part', 'BasePart'));
  assert.ok(reflection.isA('Part', 'Instance'));
  assert.ok(reflection.isA('NotAClass', 'NotAClass'));
  assert.ok(!reflection.isA('BasePart', 'Part'));
  assert.ok(!reflection.isA('NotAClass', 'Instance'));
  assert.ok(!reflection.isA('constructor', 'Instance'));
});

test('distinguishes services and creatable classes', () => {
  assert.ok(reflection.isService('ReplicatedStorage'));
  assert.ok(!reflection.isService('Folder'));
  assert.ok(reflection.isCreatable('Folder'));
  assert.ok(!reflection.isCreatable('ReplicatedStorage'));
  assert.ok(!reflection.isCreatable('BasePart'));
  assert.ok(!reflection.isCreatable('NotAClass'));
});

test('finds a property of a superclass, with the name in files', () => {
  assert.deepEqual(reflection.property('Part', 'Size'), {
    canonicalName: 'Size',
    type: 'Vector3',
    scriptability: 'ReadWrite',
    serializes: true,
    serialization: { kind: 'yes', as: 'size' },
  });
  assert.deepEqual(reflection.property('Part', 'Material')?.type, { enum: 'Material' });
  assert.equal(reflection.property('Part', 'AssemblyMass')?.serializes, false);
});

test('resolves an alias to its canonical property and keeps its type', () => {
  const alias = reflection.property('Part', 'Color3uint8');
  assert.equal(alias?.canonicalName, 'Color');
  assert.equal(alias?.type, 'Color3uint8');
  assert.equal(alias?.scriptability, 'ReadWrite');
  assert.equal(reflection.property('Folder', 'AttributesSerialize')?.canonicalName, 'Attributes');
});

test('has the migration of an old property', () => {
  assert.deepEqual(reflection.property('Part', 'BrickColor')?.serialization, {
    kind: 'migrates',
    to: ['Color'],
    operation: 'BrickColorToColor',
  });
});

test('returns undefined for unknown classes, properties and names of Object.prototype', () => {
  assert.equal(reflection.property('Part', 'Bogus'), undefined);
  assert.equal(reflection.property('NotAClass', 'Name'), undefined);
  assert.equal(reflection.property('Part', 'toString'), undefined);
  assert.equal(reflection.property('toString', 'Name'), undefined);
  assert.equal(reflection.defaultOf('Part', 'constructor'), undefined);
  assert.equal(reflection.enumItems('constructor').size, 0);
});

test('returns the defaults of the class, also through an alias, and empty sets everywhere', () => {
  assert.deepEqual(reflection.defaultOf('Part', 'Anchored'), { type: 'Bool', value: false });
  assert.deepEqual(reflection.defaultOf('Part', 'size'), reflection.defaultOf('Part', 'Size'));
  assert.notEqual(reflection.defaultOf('Part', 'Size'), undefined);
  assert.deepEqual(reflection.defaultOf('BasePart', 'Tags'), { type: 'Tags', value: [] });
  assert.deepEqual(reflection.defaultOf('NotAClass', 'Attributes'), { type: 'Attributes', value: new Map() });
  assert.equal(reflection.defaultOf('BasePart', 'Anchored'), undefined);
});

test('finds enum items by name and by number', () => {
  assert.equal(reflection.enumItems('Material').get('Plastic'), 256);
  assert.equal(reflection.enumItemName('Material', 256), 'Plastic');
  assert.equal(reflection.enumItemName('Material', -1), undefined);
  assert.equal(reflection.enumItemName('NotAnEnum', 0), undefined);
});
