import type { ProjectSession } from '../../project/project-session.ts';
import { visibleServices, type ServerInfo, type StudioDialect } from '../../protocol/studio/messages.ts';

/** What each dialect's plugin demands to hear. */
export const PROTOCOL_VERSION: Readonly<Record<StudioDialect, number>> = { atlas: 6, rojo: 5 };

/**
 * GET /api/rojo: what a plugin compares with itself before it goes on (`reference/studio-protocol.md`, section 1.6).
 *
 * @param version dialect `atlas`: must be the plugin's own to the letter; dialect `rojo`: for people
 */
export function serverInfo(
  session: ProjectSession,
  sessionId: string,
  dialect: StudioDialect,
  version: string,
): ServerInfo {
  const { info, rootId } = session;
  return {
    sessionId,
    serverVersion: version,
    protocolVersion: PROTOCOL_VERSION[dialect],
    ...(dialect === 'atlas' && { serverFork: 'atlas' }),
    projectName: info.name,
    // Absent keys, not nil: plugins take an empty list as "no place at all".
    ...(info.servePlaceIds === undefined ? {} : { expectedPlaceIds: info.servePlaceIds }),
    ...(info.blockedPlaceIds === undefined ? {} : { unexpectedPlaceIds: info.blockedPlaceIds }),
    ...(info.gameId === undefined ? {} : { gameId: info.gameId }),
    ...(info.placeId === undefined ? {} : { placeId: info.placeId }),
    rootInstanceId: rootId,
    ...(dialect === 'atlas' && {
      syncSourceOnly: true,
      syncScriptsOnly: info.syncScriptsOnly,
      ignoreHiddenServices: info.ignoreHiddenServices,
      ...(info.ignoreHiddenServices ? { visibleServices } : {}),
    }),
  };
}
