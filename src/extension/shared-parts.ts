import type * as vscode from 'vscode';
import type { BridgeLifecycle } from '../vscode/bridge-lifecycle.ts';
import type { ScheduleIdle } from '../vscode/idle-scheduler.ts';
import type { Logger } from '../ports/logger.ts';
import type { UnservedProjects } from '../vscode/unserved-projects.ts';
import type { ProjectServer } from './project-server.ts';
import type { ServedFolder } from './served-folder.ts';

/** Objects that all parts of the extension share, for the lifetime of the window. */
export interface SharedParts {
  readonly context: vscode.ExtensionContext;
  readonly lifecycle: BridgeLifecycle;
  readonly served: ServedFolder;
  readonly unserved: UnservedProjects;
  /** Finds the projects of this window that another window serves too. */
  readonly sharedProjects: ProjectServer['sharedProjects'];
  readonly log: Logger;
  /** For work that can wait until `activate` has returned. */
  readonly schedule: ScheduleIdle;
  /** Opens the output channel that `log` writes to. */
  readonly showLog: () => void;
  /** The version of the extension, from its manifest. */
  readonly version: string;
  /** The absolute path of the bundled command line program. */
  readonly cli: string;
}
