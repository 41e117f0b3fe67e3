import type { BuildRules } from './body-builder.ts';
import { buildStmt } from './build-stmt.ts';
import { buildValue } from './build-value.ts';

export const rules: BuildRules = { value: buildValue, stmt: buildStmt };
