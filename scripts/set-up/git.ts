import { installDebianPackages } from './debian.ts';
import { findOnPath } from './find-on-path.ts';

/** The example has a history, because the suggestions of a sync come from it. @throws Error with the command to run */
export async function ensureGit(): Promise<void> {
  if (findOnPath('git') === undefined) await installDebianPackages(['git'], 'The example project needs git.');
}
