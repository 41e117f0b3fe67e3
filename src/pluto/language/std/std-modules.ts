import { dataModules } from './text/data-modules.ts';
import { prelude } from './text/prelude.ts';
import { serviceModules } from './text/service-modules.ts';
import { systemModules } from './text/system-modules.ts';
import { textModules } from './text/text-modules.ts';

/** The text of every module that the language brings, by the name behind `std.`. */
const modules: Readonly<Record<string, string>> = {
  ...textModules,
  ...dataModules,
  ...systemModules,
  ...serviceModules,
};

export const isStdModule = (name: string): boolean => Object.hasOwn(modules, name);

/** The text of an embedded module or of the prelude. */
export const stdText = (name: string): string | undefined =>
  name === 'prelude' ? prelude : isStdModule(name) ? modules[name] : undefined;

export const stdNames: readonly string[] = Object.keys(modules);
