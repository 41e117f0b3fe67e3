import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettingArgs } from '../../../src/cli/setting-args.ts';
import { type SettingDefinition, settingDefinitions } from '../../../src/ports/settings.ts';

const read = (...texts: readonly string[]) => {
  const answer = readSettingArgs(texts);
  return answer.ok ? Object.fromEntries(answer.value) : answer.error;
};

test('reads the default value of every setting', () => {
  for (const { key, type, default: value } of Object.values<SettingDefinition>(settingDefinitions)) {
    const text = type === 'string' ? String(value) : JSON.stringify(value);
    assert.deepEqual(read(`atlas.${key}=${text}`), { [key]: value }, key);
  }
});

test('reads values of every type, the last one of a name', () => {
  assert.deepEqual(read('port=5', 'live=twoWay', 'rojoPort=null', 'port=0', 'docs.ripgrepPath=/a=b'), {
    port: 0,
    live: 'twoWay',
    rojoPort: null,
    'docs.ripgrepPath': '/a=b',
  });
});

test('explains each invalid setting', () => {
  assert.equal(read('port'), "invalid setting 'port' (name=value)");
  assert.equal(read('ports=1'), "unknown setting 'ports' (did you mean 'port'?)");
  assert.equal(read('port=x'), "invalid value 'x' of port (a whole number, 0–65535)");
  assert.equal(read('port=null'), "invalid value 'null' of port (a whole number, 0–65535)");
  assert.equal(read('rojoPort=1.5'), "invalid value '1.5' of rojoPort (a whole number, 0–65535, or null)");
  assert.equal(read('live=both'), "invalid value 'both' of live (off, diskToStudio, twoWay)");
  assert.equal(read('sourcemap.autoWrite=yes'), "invalid value 'yes' of sourcemap.autoWrite (true or false)");
  assert.equal(read('docs.roots={}'), "invalid value '{}' of docs.roots (a JSON list)");
});
