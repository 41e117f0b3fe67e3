import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  type SettingDefinition,
  settingDefinitions,
  settingsFrom,
  stricterValue,
} from '../../../src/ports/settings.ts';

const definitions: readonly SettingDefinition[] = Object.values(settingDefinitions);
const withValue = (value: unknown) => settingsFrom(() => value);

test('returns the default of every setting when nothing is set', () => {
  const settings = settingsFrom(() => undefined);
  assert.equal(settings.port(), 34_873);
  assert.equal(settings.rojoPort(), 34_872);
  assert.equal(settings.overridesApproval(), 'auto');
  assert.equal(settings.atlasPluginVersion(), undefined);
  assert.deepEqual(settings.docsRoots(), []);
});

test('returns the value when it is valid', () => {
  assert.equal(withValue(0).port(), 0);
  assert.equal(withValue(1.5).timeoutMultiplier(), 1.5);
  assert.equal(withValue('never').overridesApproval(), 'never');
  assert.equal(withValue(' 1.2.3 ').atlasPluginVersion(), '1.2.3');
  assert.equal(withValue(false).changesAutoCompare(), false);
  assert.equal(withValue(null).rojoPort(), undefined);
});

test('returns the default when the value is not valid', () => {
  assert.equal(withValue(65_536).port(), 34_873);
  assert.equal(withValue(1.5).port(), 34_873);
  assert.equal(withValue(5).timeoutMultiplier(), 1);
  assert.equal(withValue('yes').changesAutoCompare(), true);
  assert.equal(withValue('both').live(), 'off');
  assert.deepEqual(withValue({}).docsRoots(), []);
});

test('asks a person about overrides when the value of overrides.approval is not valid', () => {
  assert.equal(withValue('atuo').overridesApproval(), 'ask');
});

test('[P4] uses the stricter value of user and workspace for every setting that protects work', () => {
  const effective = (name: keyof typeof settingDefinitions, user: unknown, workspace: unknown): unknown =>
    stricterValue(settingDefinitions[name], user, workspace);
  for (const [name, strict, weak] of [
    ['overridesApproval', 'never', 'ask'],
    ['overridesApproval', 'ask', 'auto'],
    ['overridesRequirePrecondition', true, false],
    ['live', 'off', 'diskToStudio'],
    ['live', 'diskToStudio', 'twoWay'],
    ['journalMaxDays', 30, 1],
    ['journalMaxMegabytes', 500, 10],
  ] as const) {
    assert.equal(effective(name, strict, weak), strict);
    assert.equal(effective(name, weak, strict), strict);
    assert.equal(effective(name, weak, undefined), weak);
  }
  // Without a value of the user, the default is the user's.
  assert.equal(effective('live', undefined, 'twoWay'), 'off');
  assert.equal(effective('overridesApproval', undefined, 'never'), 'never');
  assert.equal(effective('overridesApproval', 'never', 'invalid'), 'never');
  const protecting = definitions.filter(
    ({ key, scope }) => /^(?:overrides|live|journal|studio)\b/.test(key) && scope === 'resource',
  );
  assert.deepEqual(
    protecting.filter(({ strictest }) => strictest === undefined),
    [],
  );
});

test('every setting has a unique key, a unique order and a default', () => {
  assert.equal(new Set(definitions.map(({ key }) => key)).size, definitions.length);
  assert.equal(new Set(definitions.map(({ order }) => order)).size, definitions.length);
  for (const definition of definitions) {
    assert.notEqual(definition.default, undefined, definition.key);
    if (definition.type === 'integer' || definition.type === 'number')
      assert.ok(definition.minimum !== undefined && definition.maximum !== undefined, definition.key);
  }
});

test('docs/settings.md has a section for every setting', () => {
  const page = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8');
  assert.deepEqual(
    Array.from(page.matchAll(/^## atlas\.(.+)$/gm), ([, key = '']) => key).toSorted(),
    definitions.map(({ key }) => key).toSorted(),
  );
});
