import { defaultSettings as defaults } from '../../src/cli/default-settings.ts';
import type { Settings } from '../../src/ports/settings.ts';

/** The settings of a fresh workspace, with what a test changes. */
export const defaultSettings = (changed: Partial<Settings> = {}): Settings => ({ ...defaults, ...changed });
