import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';

/**
 * Where the token and the journal of a project are kept: in the user's own folder for such things, never in the project, where they
 * would be committed one day.
 *
 * @param project absolute, links followed
 */
export function stateFolder(
  project: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  const key = createHash('sha256').update(project).digest('hex').slice(0, 16);
  return join(userStateFolder(env, platform), 'atlas-bridge', `${basename(project)}-${key}`);
}

/** The lock on the project's runs: the same for the editor and the command line. `project` as for `stateFolder`. */
export const runLockFile = (project: string, env: Readonly<Record<string, string | undefined>>): string =>
  join(stateFolder(project, env), 'run.lock');

function userStateFolder(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string {
  const named = env['XDG_STATE_HOME'];
  if (named !== undefined && named !== '') return named;
  if (platform === 'win32') return env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  return join(homedir(), '.local', 'state');
}
