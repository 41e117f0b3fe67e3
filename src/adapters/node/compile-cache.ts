// A named import would fail in an older Node, before the command line can say which Node it requires.
import nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** The user's folder for files that can be deleted at any time. */
export function userCacheFolder(env: Env, platform: NodeJS.Platform = process.platform): string {
  const named = env['XDG_CACHE_HOME'];
  if (named !== undefined && named !== '') return join(named, 'atlas-bridge');
  if (platform === 'win32')
    return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'atlas-bridge', 'cache');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'atlas-bridge');
  return join(homedir(), '.cache', 'atlas-bridge');
}

/** The folder of compiled code: of the user, because a program that can write it decides what runs. */
export function compiledFolder(env: Env): string {
  const named = env['NODE_COMPILE_CACHE'];
  return named === undefined || named === '' ? join(userCacheFolder(env), 'compiled') : named;
}

/**
 * Caches the compiled code of the modules that are loaded from now on, so that the next start does not compile them again. A folder
 * that cannot be written is ignored.
 */
export function keepCompiledCode(env: Env): void {
  nodeModule.enableCompileCache(compiledFolder(env));
}
