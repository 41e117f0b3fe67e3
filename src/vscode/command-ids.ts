/** Commands that the manifest contributes; `test/unit/manifest.test.ts` compares the two lists. */
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
  buildAndOpen: 'atlas.buildAndOpen',
  openInStudio: 'atlas.openInStudio',
  publish: 'atlas.publishPlace',
  forgetApiKey: 'atlas.forgetApiKey',
  syncback: 'atlas.syncbackFromPlace',
  writeSourcemap: 'atlas.writeSourcemap',
  installPackages: 'atlas.installPackages',
  openPlace: 'atlas.openPlaceHeadless',
  savePlace: 'atlas.savePlaceHeadless',
  closePlace: 'atlas.closePlaceHeadless',
  runLuau: 'atlas.runLuauHeadless',
  showHeadlessOutput: 'atlas.showHeadlessOutput',
  installPlugin: 'atlas.installStudioPlugin',
  removePlugin: 'atlas.removeStudioPlugin',
  changeStudioKey: 'atlas.changeStudioKey',
  setUp: 'atlas.setUpHere',
  doctor: 'atlas.doctor',
  openGuides: 'atlas.openGuides',
  connectAgent: 'atlas.connectAgent',
  createProject: 'atlas.createProject',
  openExample: 'atlas.openExample',
  removeEverything: 'atlas.removeEverything',
  searchRoots: 'atlas.searchRoots',
  syncRoot: 'atlas.syncRoot',
  revealRoot: 'atlas.revealRoot',
  refreshRoots: 'atlas.refreshRoots',
  configureRoots: 'atlas.configureRoots',
  addRoot: 'atlas.addRoot',
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
  showRecordedDiff: 'atlas.history.showDiff',
  showAgentEdits: 'atlas.showAgentEdits',
  saveAgentEdits: 'atlas.saveAgentEdits',
  searchGame: 'atlas.game.search',
  refreshGame: 'atlas.game.refresh',
  revealGameFile: 'atlas.game.revealFile',
  revealInGame: 'atlas.game.reveal',
  selectInStudio: 'atlas.game.select',
  syncPt: 'atlas.syncPt',
  runPluto: 'atlas.runPluto',
  testPluto: 'atlas.testPluto',
} as const;

/** Views of the containers `atlas` and `atlas-game` in the activity bar. */
export const viewIds = {
  changes: 'atlas.changes',
  studios: 'atlas.studios',
  history: 'atlas.history',
  roots: 'atlas.roots',
  game: 'atlas.game',
  gameProperties: 'atlas.gameProperties',
} as const;

/** Context keys of the `when` clauses of menus, keybindings and view welcomes. */
export const contextKeys = {
  /** A Studio is connected. */
  connected: 'atlas.connected',
  /** A comparison has finished, so an empty list means no differences. */
  compared: 'atlas.compared',
  /** A review is open and undecided. */
  reviewing: 'atlas.reviewing',
  /** Every change of the open review is decided. */
  decided: 'atlas.decided',
  /** Live Sync is switched on. */
  live: 'atlas.liveOn',
  /** The Studio plugin or the project is missing, so the views offer the set-up. */
  setUpNeeded: 'atlas.setUp.needed',
  /** A place is open in headless Studio. */
  headlessOpen: 'atlas.headlessOpen',
  /** Paths of the files that differ from Studio. */
  differingFiles: 'atlas.differingFiles',
  /** History was read, so an empty list means no sync. */
  historyRead: 'atlas.historyRead',
  /** The roots were read, so an empty list means no root. */
  rootsRead: 'atlas.rootsRead',
  /** An agent has unsaved edits of Pluto modules. */
  agentEdits: 'atlas.agentEdits',
  /** The active editor shows changes that wait for an answer. */
  proposedChanges: 'atlas.proposedChanges',
} as const;

/** The id of `contributes.mcpServerDefinitionProviders`. */
export const mcpProviderId = 'atlasBridge.mcp';

/** Commands for the diff editor of a review, hidden from the palette. */
export const editorCommandIds = {
  acceptDisk: 'atlas.review.acceptDisk',
  acceptStudio: 'atlas.review.acceptStudio',
  skip: 'atlas.review.skip',
  restoreChange: 'atlas.review.restoreChange',
  merge: 'atlas.review.merge',
  openFile: 'atlas.review.openFile',
  completeMerge: 'atlas.review.completeMerge',
  acceptDiskHere: 'atlas.review.acceptDiskHere',
  acceptStudioHere: 'atlas.review.acceptStudioHere',
  acceptPt: 'atlas.review.acceptPt',
  acceptPluto: 'atlas.review.acceptPluto',
  acceptPtHere: 'atlas.review.acceptPtHere',
  acceptPlutoHere: 'atlas.review.acceptPlutoHere',
} as const;

/** Buttons in the title of a diff whose changes wait for an answer. They are registered as long as a question waits. */
export const questionCommandIds = {
  apply: 'atlas.proposedChanges.apply',
  discard: 'atlas.proposedChanges.discard',
} as const;
