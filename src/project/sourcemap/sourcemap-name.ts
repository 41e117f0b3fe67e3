/** The settings that decide about the sourcemap; values of other extensions may have any type. */
export interface SourcemapSettings {
  /** `atlas.sourcemap.autoWrite`; `undefined` if it is not set. */
  readonly autoWrite: boolean | undefined;
  /** The settings of the Luau language server; `undefined` if it is not installed. */
  readonly luauLsp:
    | { readonly enabled: unknown; readonly generatorCommand: unknown; readonly sourcemapFile: unknown }
    | undefined;
}

/**
 * The file in which the sourcemap is kept up to date, relative to the folder of the project; `undefined`: none. Without the setting, the
 * file is written for the Luau language server, where the settings of that extension expect it.
 */
export function sourcemapName({ autoWrite, luauLsp }: SourcemapSettings): string | undefined {
  // A generator of the user writes the file itself.
  const isExpected = luauLsp !== undefined && luauLsp.enabled !== false && !hasGenerator(luauLsp.generatorCommand);
  if (!(autoWrite ?? isExpected)) return undefined;
  return isBelow(luauLsp?.sourcemapFile) ? luauLsp.sourcemapFile : 'sourcemap.json';
}

const hasGenerator = (command: unknown): boolean => typeof command === 'string' && command !== '';

/** Settings of a workspace never lead a write out of the project. */
const isBelow = (name: unknown): name is string =>
  typeof name === 'string' && /^(?![\\/])(?!.*(?:^|[\\/])\.\.(?:[\\/]|$))[^:\0]+\.json$/.test(name);
