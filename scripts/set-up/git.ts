import { installDebianPackages } from './debian.ts';
import { findOnPath } from './find-on-path.ts';

/** Installs git, because the example has a history, which suggestions depend on. @throws Error with the command to run */
export async function ensureGit(): Promise<void> {
  if (findOnPath('git') === undefined) await installDebianPackages(['git'], 'The example project needs git.');
}
