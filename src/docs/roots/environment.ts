/** Environment variables; on Windows, names are in upper case. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a path is absolute on any platform: `/x`, `C:\x`, `\\host\share`. */
export const isAbsolutePath = (path: string): boolean => /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
