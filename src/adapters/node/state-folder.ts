import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { isNotFound } from '../../base/errno.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The folder for the state of the user. Never in a project, where it could be committed. */
export function userStateFolder(env: Env, platform: NodeJS.Platform = process.platform): string {
  const named = env['XDG_STATE_HOME'];
  if (named !== undefined && named !== '') return join(named, 'atlas-bridge');
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'atlas-bridge');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'atlas-bridge');
  return join(homedir(), '.local', 'state', 'atlas-bridge');
}

/**
 * The folder with the token and the journal of a project.
 *
 * @param project absolute, links followed
 */
export function stateFolder(project: string, env: Env, platform: NodeJS.Platform = process.platform): string {
  const key = createHash('sha256').update(project).digest('hex').slice(0, 16);
  return join(userStateFolder(env, platform), `${basename(project)}-${key}`);
}

/** Whether `stateFolder` may exist: another project with the same name may have the state. Needs no hash, whose code takes long to load. */
export function mayHaveState(project: string, env: Env): boolean {
  try {
    return readdirSync(userStateFolder(env)).some(name => name.startsWith(`${basename(project)}-`));
  } catch (error) {
    return !isNotFound(error);
  }
}

/** The lock of the project's runs, shared by the editor and the command line. `project` as for `stateFolder`. */
export const runLockFile = (project: string, env: Env): string => join(stateFolder(project, env), 'run.lock');
