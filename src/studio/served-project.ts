import { createTreeFeed, type TreeFeed, type TreeFeedDeps } from './feed/tree-feed.ts';
import type { ProjectSession } from '../project/project-session.ts';
import type { StudioWriterDeps } from './write/write-context.ts';
import { createStudioWriter, type StudioWriter } from './write/studio-writer.ts';

/** A loaded project as it is served to Studios: its tree, the feed of changes, and the writer for edits from Studio. */
export interface ServedProject extends Disposable {
  readonly session: ProjectSession;
  readonly feed: TreeFeed;
  readonly writer: StudioWriter;
}

export function serveProject(
  session: ProjectSession,
  deps: Omit<StudioWriterDeps, 'session' | 'feed'> & Pick<TreeFeedDeps, 'sessionId' | 'maxPacketChanges'>,
): ServedProject {
  const feed = createTreeFeed({ ...deps, session });
  const writer = createStudioWriter({ ...deps, session, feed });
  return { session, feed, writer, [Symbol.dispose]: () => feed[Symbol.dispose]() };
}
