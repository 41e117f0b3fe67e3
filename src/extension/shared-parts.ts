import type * as vscode from 'vscode';
import type { BridgeLifecycle } from '../vscode/bridge-lifecycle.ts';
import type { ScheduleIdle } from '../vscode/idle-scheduler.ts';
import type { Logger } from '../ports/logger.ts';
import type { ServedFolder } from './served-folder.ts';

/** What the parts of the extension share, for as long as the window. */
export interface SharedParts {
  readonly context: vscode.ExtensionContext;
  readonly lifecycle: BridgeLifecycle;
  readonly served: ServedFolder;
  readonly log: Logger;
  /** For what need not be there when `activate` returns. */
  readonly schedule: ScheduleIdle;
  /** Opens the output channel that `log` writes to. */
  readonly showLog: () => void;
  /** Of the extension, from its manifest. */
  readonly version: string;
  /** The program that the extension carries, as an absolute path. */
  readonly cli: string;
}
