import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { userCacheFolder } from '../../../../src/adapters/node/compile-cache.ts';
import { stateFolder } from '../../../../src/adapters/node/state-folder.ts';

const env = { XDG_STATE_HOME: '/state' };

test('gives each project a separate state folder that names the project', () => {
  const one = stateFolder('/games/harbor', env);
  const other = stateFolder('/old/harbor', env);
  assert.match(one, /harbor-[0-9a-f]{16}$/);
  assert.ok(one.startsWith(join('/state', 'atlas-bridge')));
  assert.notEqual(one, other);
  assert.equal(stateFolder('/games/harbor', env), one);
});

test('never puts the state folder into the project on any platform', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const)
    for (const one of [env, {}, { XDG_STATE_HOME: '' }, { LOCALAPPDATA: '/local' }])
      assert.ok(!stateFolder('/games/harbor', one, platform).startsWith('/games/'), platform);
});

test('keeps the cache in the folder that each platform has for it', () => {
  assert.equal(userCacheFolder({ XDG_CACHE_HOME: '/cache' }, 'linux'), join('/cache', 'atlas-bridge'));
  assert.match(userCacheFolder({ XDG_CACHE_HOME: '' }, 'linux'), /[\\/]\.cache[\\/]atlas-bridge$/);
  assert.match(userCacheFolder({}, 'darwin'), /Library[\\/]Caches[\\/]atlas-bridge$/);
  assert.equal(userCacheFolder({ LOCALAPPDATA: '/local' }, 'win32'), join('/local', 'atlas-bridge', 'cache'));
});
