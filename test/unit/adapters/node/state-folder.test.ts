import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { compiledFolder, userCacheFolder } from '../../../../src/adapters/node/compile-cache.ts';
import { mayHaveState, stateFolder } from '../../../../src/adapters/node/state-folder.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const env = { XDG_STATE_HOME: '/state' };

test('gives each project a separate state folder that names the project', () => {
  const one = stateFolder('/games/harbor', env);
  const other = stateFolder('/old/harbor', env);
  assert.match(one, /harbor-[0-9a-f]{16}$/);
  assert.ok(one.startsWith(join('/state', 'atlas-bridge')));
  assert.notEqual(one, other);
  assert.equal(stateFolder('/games/harbor', env), one);
});

test('sees without a hash that a project has no state', async () => {
  await using folder = await tempFolder({});
  const own = { XDG_STATE_HOME: folder.path };
  assert.equal(mayHaveState('/games/harbor', own), false, 'the folder of the user is missing');
  await mkdir(stateFolder('/games/harbor-2', own), { recursive: true });
  assert.equal(mayHaveState('/games/castle', own), false);
  await mkdir(stateFolder('/games/castle', own));
  assert.equal(mayHaveState('/games/castle', own), true);
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
  for (const NODE_COMPILE_CACHE of [undefined, ''])
    assert.equal(
      compiledFolder({ XDG_CACHE_HOME: '/cache', NODE_COMPILE_CACHE }),
      join('/cache', 'atlas-bridge', 'compiled'),
    );
  assert.equal(compiledFolder({ NODE_COMPILE_CACHE: '/code' }), '/code');
  assert.equal(userCacheFolder({ LOCALAPPDATA: '/local' }, 'win32'), join('/local', 'atlas-bridge', 'cache'));
});
