import type { Settings } from '../ports/settings.ts';

/** The settings where there are no VS Code settings: the defaults of each. */
export const defaultSettings: Settings = {
  reviewTimeoutMinutes: () => 30,
  overridesApproval: () => 'auto',
  overridesRequirePrecondition: () => false,
  budgetScale: () => 1,
  journalMaxMegabytes: () => 500,
  journalMaxDays: () => 30,
  atlasPluginVersion: () => undefined,
  live: () => 'off',
};
