/** Environment variables; on Windows, names are in upper case. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns `ROOT_<ID>_<what>`. Ids contain no underscore, so two roots never share a variable. */
export const variableOf = (id: string, what: 'PATH' | 'GIT_URL' | 'GIT_REF' | 'SUBDIR' | 'TITLE'): string =>
  `ROOT_${id.toUpperCase().replaceAll('-', '_')}_${what}`;

/** Whether a path is absolute on any platform: `/x`, `C:\x`, `\\host\share`. */
export const isAbsolutePath = (path: string): boolean => /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
