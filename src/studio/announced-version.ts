import type { Settings } from '../ports/settings.ts';

/** The Atlas version that Atlas Bridge announces to the plugin. */
export interface AnnouncedVersion {
  version(): string;
  /** Uses the version that a plugin reported, `major.minor.patch`, if none is configured. */
  learn(version: string): void;
}

/** The Atlas release whose protocol Atlas Bridge implements. */
const DEFAULT_VERSION = '8.5.10';

/**
 * Creates the announced version: configured, else learned, else the default. The Atlas plugin accepts only its own version and reports it only
 * when it posts a whole place, so other versions need the setting.
 */
export function createAnnouncedVersion(settings: Settings): AnnouncedVersion {
  let learned: string | undefined;
  return {
    version: () => settings.atlasPluginVersion() ?? learned ?? DEFAULT_VERSION,
    learn(version) {
      if (/^\d+\.\d+\.\d+/.test(version)) learned = version;
    },
  };
}
