import fc from 'fast-check';
import type { PlaceClaims } from '../../src/studio/place-claims.ts';

const placeId = fc.integer({ min: 1, max: 4 });
const ids = fc.option(fc.uniqueArray(placeId, { maxLength: 3 }), { nil: undefined });

/** The projects of a window, and the place of a Studio. */
export const projectsAndPlace: fc.Arbitrary<{ readonly projects: readonly PlaceClaims[]; readonly place: number }> =
  fc.record({
    projects: fc
      .array(
        fc.record({
          servePlaceIds: ids,
          blockedPlaceIds: ids,
          placeId: fc.option(placeId, { nil: undefined }),
        }),
        { minLength: 1, maxLength: 4 },
      )
      .map(all => all.map((claims, index) => ({ name: `project ${index + 1}`, ...claims }))),
    place: placeId,
  });
