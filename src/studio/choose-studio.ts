import { AppError } from '../base/errors.ts';
import type { StudioLink } from './studio-link.ts';

/**
 * Selects the Studio with that `handle`, or the only one.
 *
 * @throws AppError STUDIO_NOT_CONNECTED, STUDIO_AMBIGUOUS, UNKNOWN_STUDIO; the last two list the connected Studios
 */
export function chooseStudio(links: readonly StudioLink[], handle: string | undefined, studioUrl: string): StudioLink {
  const [first, ...others] = links;
  if (first === undefined) throw new AppError('STUDIO_NOT_CONNECTED', { studioUrl });
  const studios = links.map(({ handle: studio, hello }) => ({
    studio,
    place: hello.placeName,
    placeId: hello.placeId,
  }));
  if (handle !== undefined) {
    const named = links.find(link => link.handle === handle);
    if (named === undefined) throw new AppError('UNKNOWN_STUDIO', { studio: handle, studios });
    return named;
  }
  if (others.length > 0) throw new AppError('STUDIO_AMBIGUOUS', { studios });
  return first;
}
