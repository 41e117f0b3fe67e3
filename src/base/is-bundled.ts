/**
 * Whether the calling module is part of the bundle, whose files are all in one folder. Looks at the name only, because reading the disk
 * would block the editor: TypeScript modules are never bundled.
 *
 * @param module `import.meta.url` of the calling module
 */
export const isBundled = (module: string): boolean => !module.endsWith('.ts');
