import type { Variant } from '../values/variant.ts';

const pivoted: ReadonlySet<string> = new Set('Model Actor Tool HopperBin Flag WorldModel Workspace Status'.split(' '));

/**
 * The property that marks an instance with a pivot in model files. Without it, Studio computes the pivot again, as for files that are older
 * than pivots.
 */
export const pivotMigration = (className: string): readonly (readonly [string, Variant])[] =>
  pivoted.has(className) ? [['NeedsPivotMigration', { type: 'Bool', value: false }]] : [];
