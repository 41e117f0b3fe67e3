import { reasonOf } from '../protocol/reason.ts';
import type { ProjectPath } from '../base/brand.ts';
import { NULL_REF } from '../roblox/values/ref.ts';
import type { ProjectSession } from './project-session.ts';

const reason = reasonOf('no_project');
const nothing = { [Symbol.dispose]() {} };

/** An empty project. History restores recorded files by path even when no project is open or it cannot be read. */
export const noProject: ProjectSession = {
  info: {
    name: '',
    projectFile: '' as ProjectPath,
    dialect: 'rojo',
    servePlaceIds: undefined,
    blockedPlaceIds: undefined,
    gameId: undefined,
    placeId: undefined,
    ignoreHiddenServices: false,
    syncScriptsOnly: false,
  },
  rootId: NULL_REF,
  revision: () => 0,
  get: () => undefined,
  instanceCount: () => 0,
  descendants: () => [],
  idsAtPath: () => [],
  idsTouchedBy: () => [],
  fsPathOf: () => null,
  filesOf: () => [],
  refresh: async () => undefined,
  catchUp: async () => undefined,
  diagnostics: () => [],
  onDidChange: () => nothing,
  onDidChangeDiagnostics: () => nothing,
  planPulls: async requests => ({ pulls: requests.map(() => ({ ok: false, reason, isExcluded: false })), edits: [] }),
  writeAlone: (_, write) => write(),
  syncbackExclusions: () => ({ excludesInstance: () => true, excludesFile: () => true }),
  [Symbol.dispose]() {},
};
