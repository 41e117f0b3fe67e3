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
  showHeadlessOutput: 'atlas.showHeadlessOutput',
  installPlugin: 'atlas.installStudioPlugin',
  removePlugin: 'atlas.removeStudioPlugin',
  setUp: 'atlas.setUpHere',
  doctor: 'atlas.doctor',
  connectAgent: 'atlas.connectAgent',
  createProject: 'atlas.createProject',
  removeEverything: 'atlas.removeEverything',
  searchRoots: 'atlas.searchRoots',
  syncRoot: 'atlas.syncRoot',
  revealRoot: 'atlas.revealRoot',
  refreshRoots: 'atlas.refreshRoots',
  configureRoots: 'atlas.configureRoots',
} as const;

/** Views of the container `atlas` in the activity bar. */
export const viewIds = { roots: 'atlas.roots' } as const;

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
} as const;
