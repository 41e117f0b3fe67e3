import { defaultSettings as defaults } from '../../scripts/bench/default-settings.ts';
import type { Settings } from '../../src/ports/settings.ts';

/** The settings of a new workspace, with the overrides of a test. */
export const defaultSettings = (changed: Partial<Settings> = {}): Settings => ({ ...defaults, ...changed });
