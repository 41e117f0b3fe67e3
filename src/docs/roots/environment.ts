/** Environment variables; on Windows their names are upper case here. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** `ROOT_<ID>_<what>`. Ids hold no underscore, so no two of them share a variable. */
export const variableOf = (id: string, what: 'PATH' | 'GIT_URL' | 'GIT_REF' | 'SUBDIR' | 'TITLE'): string =>
  `ROOT_${id.toUpperCase().replaceAll('-', '_')}_${what}`;

/** In the spelling of any system: `/x`, `C:\x`, `\\host\share`. */
export const isAbsolutePath = (path: string): boolean => /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
