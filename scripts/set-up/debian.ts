import { findOnPath } from './find-on-path.ts';
import { run } from './run.ts';

/** Installs packages where we may. `why`: the sentence for whoever must do it by hand. @throws Error with the command to run */
export async function installDebianPackages(packages: readonly string[], why: string): Promise<void> {
  const command = `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`;
  if (process.getuid?.() !== 0 || findOnPath('apt-get') === undefined)
    throw new Error(`${why} On Debian, as root: ${command}`);
  console.error(`Installing ${packages.join(', ')} …`);
  await run('sh', ['-c', command], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}
