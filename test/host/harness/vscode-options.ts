import type { RemoteMachine } from '../../harness/remote-machine.ts';

/** The settings of a window besides those of every test. */
export const settingsOf = ({ hasChat, settings }: Pick<VsCodeOptions, 'hasChat' | 'settings'>) => ({
  'chat.disableAIFeatures': hasChat !== true,
  ...settings,
});

export interface VsCodeOptions {
  /** Absolute path of the workspace: a folder or a `.code-workspace` file. */
  readonly folder: string;
  /** Enables Workspace Trust; otherwise every folder is trusted. Not on a desktop. */
  readonly asksForTrust?: boolean;
  /** Settings in addition to the default ones of the tests. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The machine of the server and its extensions, reached by SSH. Default: this machine. Not on a desktop. */
  readonly remote?: RemoteMachine;
  /** Whether VS Code has its chat and the tools of agents. Default: no, because a window then needs 31 instead of 38 CPU seconds. */
  readonly hasChat?: boolean;
  /** Environment variables for VS Code and its extensions. */
  readonly env?: Readonly<Record<string, string>>;
}
