import { findOnPath } from './find-on-path.ts';
import { run } from './run.ts';

/** Installs Debian packages. `why`: the start of the error message. @throws Error with the command to run, if not permitted to install */
export async function installDebianPackages(packages: readonly string[], why: string): Promise<void> {
  const command = `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`;
  if (process.getuid?.() !== 0 || findOnPath('apt-get') === undefined)
    throw new Error(`${why} On Debian, as root: ${command}`);
  console.error(`Installing ${packages.join(', ')} …`);
  await run('sh', ['-c', command], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}
