import type { ProjectSession } from '../../project/project-session.ts';
import { excludedPlaces, type PlaceClaims } from '../../studio/place-claims.ts';
import { visibleServices, type ServerInfo, type StudioDialect } from '../../protocol/studio/messages.ts';

/** The protocol version that the plugin of each dialect requires. */
export const PROTOCOL_VERSION: Readonly<Record<StudioDialect, number>> = { atlas: 6, rojo: 5 };

/**
 * GET /api/rojo: the server information that a plugin checks before it connects.
 *
 * @param version dialect `atlas`: must equal the version of the plugin; dialect `rojo`: only shown to people
 */
export function serverInfo(
  session: ProjectSession,
  sessionId: string,
  dialect: StudioDialect,
  version: string,
  others: readonly PlaceClaims[],
): ServerInfo {
  const { info, rootId } = session;
  const excluded = excludedPlaces(info, others);
  return {
    sessionId,
    serverVersion: version,
    protocolVersion: PROTOCOL_VERSION[dialect],
    ...(dialect === 'atlas' && { serverFork: 'atlas' }),
    projectName: info.name,
    // Omit the key if there is no list: plugins read an empty list as "no place is allowed".
    ...(info.servePlaceIds === undefined ? {} : { expectedPlaceIds: info.servePlaceIds }),
    ...(info.blockedPlaceIds === undefined && excluded.length === 0 ? {} : { unexpectedPlaceIds: excluded }),
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
