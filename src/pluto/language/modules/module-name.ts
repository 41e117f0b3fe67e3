import type { ProjectPath } from '../../../base/brand.ts';

/** The dotted name of a module file, seen from the project folder: `math/vectors.pluto` is `math.vectors`. */
export const moduleName = (path: ProjectPath): string => path.replace(/\.(?:pluto|pt)$/, '').replaceAll('/', '.');
