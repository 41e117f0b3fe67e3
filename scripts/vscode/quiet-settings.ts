/** Settings without questions, telemetry, and windows that open automatically. */
export const quietSettings = {
  // Otherwise extensions that require a trusted workspace never activate, because no user is there to trust it.
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  // Drawing the frames of transitions takes a fifth of the time of the process that draws.
  'workbench.reduceMotion': 'on',
  'update.mode': 'none',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'chat.commandCenter.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'remote.autoForwardPorts': false,
  // Otherwise VS Code lists the open files of all processes every few seconds, to find their ports.
  'remote.autoForwardPortsSource': 'output',
  'git.openRepositoryInParentFolders': 'never',
} as const;
