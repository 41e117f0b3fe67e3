import type { Settings } from '../ports/settings.ts';

/** The version of Atlas that this bridge says it is. */
export interface ClaimedVersion {
  version(): string;
  /** Takes the version that a plugin has told of itself, `major.minor.patch`, if none is set. */
  learn(version: string): void;
}

/** The release that the protocol was described from. */
const DESCRIBED = '8.5.10';

/**
 * Atlas's plugin connects to exactly its own version and tells it only when it posts a whole place, so somebody has to set it, unless
 * it is the one that we know (`reference/studio-protocol.md`, section 1.6).
 */
export function createClaimedVersion(settings: Settings): ClaimedVersion {
  let learned: string | undefined;
  return {
    version: () => settings.atlasPluginVersion() ?? learned ?? DESCRIBED,
    learn(version) {
      if (/^\d+\.\d+\.\d+/.test(version)) learned = version;
    },
  };
}
