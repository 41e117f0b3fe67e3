import texts from './std-texts.generated.json' with { type: 'json' };

/** The text of the prelude and of every module of the standard library, by the name after `std.`. */
const modules: Readonly<Record<string, string>> = texts;

/** Names of the modules of the standard library, sorted; the prelude is not imported by name. */
export const stdNames: readonly string[] = Object.keys(modules).filter(name => name !== 'prelude');

export const isStdModule = (name: string): boolean => stdNames.includes(name);

/** The text of a standard library module or of the prelude. */
export const stdText = (name: string): string | undefined => (Object.hasOwn(modules, name) ? modules[name] : undefined);
