import type { RemoteMachine } from '../../harness/remote-machine.ts';

export interface VsCodeOptions {
  /** The workspace, absolute: a folder, or a file that names several. */
  readonly folder: string;
  /** Whether VS Code asks for trust; without it every folder is trusted. Not on a desktop. */
  readonly asksForTrust?: boolean;
  /** On top of the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The machine that the server and its extensions run on, reached by ssh; this one unless given. Not on a desktop. */
  readonly remote?: RemoteMachine;
  /** Variables that VS Code and its extensions see. */
  readonly env?: Readonly<Record<string, string>>;
}
