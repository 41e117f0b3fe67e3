import type { ProjectPath } from '../../../base/brand.ts';

/** The folder of the modules of the language. No folder of a project can have this name. */
const STD_FOLDER = '<std>';

/** The path of an embedded module: `std.json` is `<std>/json/json.pt`. */
export const stdPath = (name: string): ProjectPath => `${STD_FOLDER}/${name}/${name}.pt` as ProjectPath;

/** Declarations that every program has. */
export const PRELUDE_PATH = stdPath('prelude');

/** The name of an embedded module, by its path; undefined for any other path. */
export const stdNameOf = (path: ProjectPath): string | undefined => /^<std>\/(\w+)\/\1\.pt$/.exec(path)?.[1];
