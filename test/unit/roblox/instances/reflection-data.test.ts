import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Entries, openReflectionData } from '../../../../src/roblox/instances/reflection-data.ts';
import { reflectionData, reflectionText } from '../../../harness/reflection.ts';

test('returns the same classes and enums one by one and all together', () => {
  const { version, rows, values, classes, enums } = openReflectionData(reflectionText);
  const all = <T>(entries: Entries<T>) => Object.fromEntries(entries.names().map(name => [name, entries.get(name)]));
  assert.deepEqual({ version, rows, values, classes: all(classes), enums: all(enums) }, reflectionData);
});

test('returns the same entry at each call, and none for other names', () => {
  const { classes, enums } = openReflectionData(reflectionText);
  assert.equal(classes.get('Part'), classes.get('Part'));
  assert.ok(classes.has('Part') && enums.has('Material'));
  for (const name of ['Material', 'part', 'constructor', '']) {
    assert.ok(!classes.has(name), name);
    assert.equal(classes.get(name), undefined);
  }
});

test('refuses a database of another layout', () => {
  for (const text of ['', '{}', JSON.stringify(reflectionData), JSON.stringify(reflectionData, null, 1)])
    assert.throws(() => openReflectionData(text), /not laid out as scripts\/generate-reflection\.ts/);
});
