/** The fields of a project that say which places belong to it. */
export interface PlaceClaims {
  readonly name: string;
  readonly servePlaceIds: readonly number[] | undefined;
  readonly blockedPlaceIds: readonly number[] | undefined;
  readonly placeId: number | undefined;
}

/** How strongly a project claims a place: 2 by `servePlaceIds`, 1 by `placeId`, 0 if it accepts any place; -1 if it excludes the place. */
function claimOf({ servePlaceIds, blockedPlaceIds, placeId }: PlaceClaims, place: number): number {
  if (blockedPlaceIds?.includes(place) === true) return -1;
  if (servePlaceIds !== undefined) return servePlaceIds.includes(place) ? 2 : -1;
  return placeId === place ? 1 : 0;
}

/** Explains why the project does not accept a place; `undefined` if it does. @param others the other projects of the window */
export function placeRefusal(own: PlaceClaims, others: readonly PlaceClaims[], place: number): string | undefined {
  const claim = claimOf(own, place);
  if (claim === -1)
    return own.blockedPlaceIds?.includes(place) === true
      ? `place ${place} is listed in blockedPlaceIds of project ${own.name}`
      : `place ${place} is not listed in servePlaceIds of project ${own.name}`;
  const owners = others.filter(other => claimOf(other, place) > claim);
  return owners.length === 0
    ? undefined
    : `place ${place} belongs to project ${owners.map(({ name }) => name).join(' and ')}, not to project ${own.name}`;
}

/** The places that the project must not get: those that it excludes, and those that belong to another project of the window. */
export function excludedPlaces(own: PlaceClaims, others: readonly PlaceClaims[]): readonly number[] {
  const claimed = others.flatMap(({ servePlaceIds, placeId }) => [
    ...(servePlaceIds ?? []),
    ...(placeId === undefined ? [] : [placeId]),
  ]);
  const elsewhere = claimed.filter(place => claimOf(own, place) >= 0 && placeRefusal(own, others, place) !== undefined);
  return Array.from(new Set([...(own.blockedPlaceIds ?? []), ...elsewhere]));
}
