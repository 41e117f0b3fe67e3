import { devNull } from 'node:os';
import { env } from 'node:process';

/** What git needs to find itself and its user. */
const basic: readonly string[] = [
  'PATH',
  'HOME',
  'USERPROFILE',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'SYSTEMROOT',
  'TMPDIR',
  'TEMP',
  'TMP',
];

/** What of our environment reaches git, and nothing else: `GIT_DIR` and its like would show it another repository. */
export const environmentOfGit = (further: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries([...basic, ...further].flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])));

/** Switches off what a repository could start while it is only looked at; `name=value`. */
export const startsNothing: readonly string[] = [
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  'core.untrackedCache=false',
];

/** `simple-git` refuses the settings above unless it is told that they are meant. */
export const startsNothingIsMeant = { allowUnsafeFsMonitor: true, allowUnsafeHooksPath: true } as const;
