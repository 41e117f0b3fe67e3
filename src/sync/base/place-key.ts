import type { ProjectSession } from '../../project/project-session.ts';
import type { Place } from '../../protocol/sync-result.ts';

/** A place that was never published has no id, so its name is used. */
export const placeKey = ({ name, placeId }: Place, session: Pick<ProjectSession, 'info'>): string =>
  JSON.stringify([session.info.projectFile, placeId === 0 ? name : placeId]);
