/** A profile that asks nothing, phones nobody and opens nothing by itself. */
export const quietSettings = {
  // Without this an extension that does not support untrusted workspaces never activates, for nobody is there to trust.
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'chat.commandCenter.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'remote.autoForwardPorts': false,
  'git.openRepositoryInParentFolders': 'never',
} as const;
