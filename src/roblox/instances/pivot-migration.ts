import type { Variant } from '../values/variant.ts';

const pivoted: ReadonlySet<string> = new Set('Model Actor Tool HopperBin Flag WorldModel Workspace Status'.split(' '));

/** What a model file says of an instance with a pivot: without it Studio takes it for one from before pivots, and computes the pivot anew. */
export const pivotMigration = (className: string): readonly (readonly [string, Variant])[] =>
  pivoted.has(className) ? [['NeedsPivotMigration', { type: 'Bool', value: false }]] : [];
