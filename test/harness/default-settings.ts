import type { Settings } from '../../src/ports/settings.ts';

/** The settings of a fresh workspace, with what a test changes. */
export function defaultSettings(changed: Partial<Settings> = {}): Settings {
  return {
    reviewTimeoutMinutes: () => 30,
    overridesApproval: () => 'auto',
    overridesRequirePrecondition: () => false,
    budgetScale: () => 1,
    journalMaxMegabytes: () => 500,
    journalMaxDays: () => 30,
    atlasPluginVersion: () => undefined,
    live: () => 'off',
    ...changed,
  };
}
