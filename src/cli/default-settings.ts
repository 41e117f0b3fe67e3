import { type Settings, settingsFrom } from '../ports/settings.ts';

/** The settings of a program without an editor: every default. */
export const defaultSettings: Settings = settingsFrom(() => undefined);
