import type { BaseStore } from '../../ports/base-store.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { Git } from '../../ports/git.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalStore } from '../../ports/journal-store.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type { ReviewSurface } from '../../ports/review-surface.ts';
import type { RunLock } from '../../ports/run-lock.ts';
import type { Settings } from '../../ports/settings.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { StudioDirectory } from '../../studio/studio-link.ts';
import type { ProjectSession } from '../../project/project-session.ts';

export interface SyncEngineDeps {
  /** The loaded project. @throws AppError NO_PROJECT, PROJECT_INVALID */
  readonly project: () => ProjectSession;
  readonly studios: StudioDirectory;
  /** Where Studio has to connect to, for the message that says so. */
  readonly studioUrl: () => string;
  readonly files: FileSystem;
  readonly git: Git;
  readonly hasher: Hasher;
  readonly journal: JournalStore;
  readonly bases: BaseStore;
  readonly runLock: RunLock;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: Settings;
  readonly reflection: Reflection;
  readonly log: Logger;
  /** `undefined` where no person can be asked. */
  readonly reviewSurface: ReviewSurface | undefined;
}
