import { type AllSettings, settingsFrom } from '../../src/ports/settings.ts';

/** The settings of a new workspace: every default. */
export const defaultSettings: AllSettings = settingsFrom(() => undefined);
