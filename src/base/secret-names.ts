/** The name as file systems compare it. Windows and macOS ignore case, Windows trailing dots, spaces and `:stream`, HFS+ some invisible characters. */
const plain = (name: string): string =>
  name
    .replace(/:.*$/s, '')
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();

/** Whether a file or folder has Git data, or holds passwords by convention. `git~1` is the short name of `.git` on Windows. */
export const isSecretName = (name: string): boolean => /^(?:\.git|git~\d+|\.env(?:\..*|rc)?)$/.test(plain(name));

/**
 * Whether a file or folder is never part of a project, whatever the rules of the project say. A script is code, not a list of passwords,
 * so `.env.luau` is synced.
 */
export const isNeverSynced = (name: string): boolean => isSecretName(name) && !/\.luau?$/i.test(name);

/** Whether `isNeverSynced` holds for any name in a path with `/`. */
export const isNeverSyncedPath = (path: string): boolean =>
  /\.git|git~|\.env|[\u200c-\ufeff]/i.test(path) && path.split('/').some(isNeverSynced);
