/**
 * Whether the calling module is part of the bundle, whose files are all in one folder. Needs no look at the disk, which would block the
 * editor: only the source has TypeScript modules.
 *
 * @param module `import.meta.url` of the calling module
 */
export const isBundled = (module: string): boolean => !module.endsWith('.ts');
