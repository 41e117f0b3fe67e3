import { type AllSettings, settingsFrom } from '../ports/settings.ts';

/** The settings of a program without an editor: every default. */
export const defaultSettings: AllSettings = settingsFrom(() => undefined);
