/** Commands that the manifest contributes; `test/unit/manifest.test.ts` holds the two lists together. */
export const commandIds = {
  sync: 'atlas.sync',
  dryRun: 'atlas.syncDryRun',
  review: 'atlas.reviewChanges',
  explainDefault: 'atlas.explainDefault',
  restore: 'atlas.restore',
  startLive: 'atlas.startLiveSync',
  stopLive: 'atlas.stopLiveSync',
  showLog: 'atlas.showLog',
  build: 'atlas.build',
  syncback: 'atlas.syncbackFromPlace',
  writeSourcemap: 'atlas.writeSourcemap',
  openPlace: 'atlas.openPlaceHeadless',
  savePlace: 'atlas.savePlaceHeadless',
  closePlace: 'atlas.closePlaceHeadless',
  runLuau: 'atlas.runLuauHeadless',
  showHeadlessOutput: 'atlas.showHeadlessOutput',
  installPlugin: 'atlas.installStudioPlugin',
  removePlugin: 'atlas.removeStudioPlugin',
  setUp: 'atlas.setUpHere',
  doctor: 'atlas.doctor',
  openGuides: 'atlas.openGuides',
  connectAgent: 'atlas.connectAgent',
  createProject: 'atlas.createProject',
  removeEverything: 'atlas.removeEverything',
  searchRoots: 'atlas.searchRoots',
  syncRoot: 'atlas.syncRoot',
  revealRoot: 'atlas.revealRoot',
  refreshRoots: 'atlas.refreshRoots',
  configureRoots: 'atlas.configureRoots',
  compare: 'atlas.compareWithStudio',
  showInChanges: 'atlas.showInChanges',
  pushChange: 'atlas.changes.push',
  pullChange: 'atlas.changes.pull',
  skipChange: 'atlas.changes.skip',
  openChange: 'atlas.changes.open',
  applyReview: 'atlas.changes.apply',
  rejectReview: 'atlas.changes.reject',
  copyAddress: 'atlas.copyStudioAddress',
  switchFolder: 'atlas.switchServedFolder',
  showRun: 'atlas.showRun',
  refreshHistory: 'atlas.refreshHistory',
  showAgentEdits: 'atlas.showAgentEdits',
  saveAgentEdits: 'atlas.saveAgentEdits',
  syncPt: 'atlas.syncPt',
  runPluto: 'atlas.runPluto',
  testPluto: 'atlas.testPluto',
} as const;

/** Views of the container `atlas` in the activity bar. */
export const viewIds = {
  changes: 'atlas.changes',
  studios: 'atlas.studios',
  history: 'atlas.history',
  roots: 'atlas.roots',
} as const;

/** What menus, keys and welcomes of the views ask. */
export const contextKeys = {
  /** A Studio is connected. */
  connected: 'atlas.connected',
  /** Something was compared, so that an empty list means that nothing differs. */
  compared: 'atlas.compared',
  /** A review waits for its decision. */
  reviewing: 'atlas.reviewing',
  /** And everything in it is decided. */
  decided: 'atlas.decided',
  /** A live session is wanted. */
  live: 'atlas.liveOn',
  /** Paths of the files that differ from Studio. */
  differingFiles: 'atlas.differingFiles',
  /** An agent has edits of Pluto modules that are not saved. */
  agentEdits: 'atlas.agentEdits',
} as const;

/** The id of `contributes.mcpServerDefinitionProviders`. */
export const mcpProviderId = 'atlasBridge.mcp';

/** Commands for the diff editor of a review, which are nowhere in the palette. */
export const editorCommandIds = {
  acceptDisk: 'atlas.review.acceptDisk',
  acceptStudio: 'atlas.review.acceptStudio',
  skip: 'atlas.review.skip',
  merge: 'atlas.review.merge',
  completeMerge: 'atlas.review.completeMerge',
  acceptDiskHere: 'atlas.review.acceptDiskHere',
  acceptStudioHere: 'atlas.review.acceptStudioHere',
  acceptPt: 'atlas.review.acceptPt',
  acceptPluto: 'atlas.review.acceptPluto',
  acceptPtHere: 'atlas.review.acceptPtHere',
  acceptPlutoHere: 'atlas.review.acceptPlutoHere',
} as const;
