import type { ProjectPath } from '../../../base/brand.ts';

/** The dotted name of a module file, relative to the project folder: `math/vectors.pluto` is `math.vectors`. */
export const moduleName = (path: ProjectPath): string => path.replace(/\.(?:pluto|pt)$/, '').replaceAll('/', '.');
