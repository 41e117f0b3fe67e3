import { Emitter, type Event } from '../base/emitter.ts';
import type { ProjectSlot } from '../project/project-slot.ts';
import type { TreeFeedDeps } from '../studio/feed/tree-feed.ts';
import { type ServedProject, serveProject } from '../studio/served-project.ts';
import type { FailedWrite } from '../studio/write/write-context.ts';

type FeedOptions = Pick<TreeFeedDeps, 'sessionId' | 'maxPacketChanges'>;
type ServingPorts = Omit<Parameters<typeof serveProject>[1], keyof FeedOptions>;

interface Serving extends Disposable {
  current(): ServedProject | undefined;
  /** @throws AppError NO_PROJECT, PROJECT_INVALID */
  require(): ServedProject;
  readonly onDidServe: Event<void>;
  readonly onDidChangeCount: Event<void>;
  readonly onDidFailWrite: Event<FailedWrite>;
}

/** Serves the project as soon as it is open, so that no change is missed. */
export function serveOpened(project: ProjectSlot, host: ServingPorts, options: FeedOptions): Serving {
  const began = new Emitter<void>();
  const counted = new Emitter<void>();
  const failed = new Emitter<FailedWrite>();
  let served: ServedProject | undefined;
  project.onDidOpen(session => {
    served = serveProject(session, { ...host, log: host.log.child('live'), ...options });
    served.feed.onDidChangeCount(() => counted.fire());
    served.writer.onDidFail(outcomes => failed.fire(outcomes));
    began.fire();
  });
  return {
    current: () => served,
    require() {
      project.require();
      if (served === undefined) throw new Error('the open project is not served');
      return served;
    },
    onDidServe: began.event,
    onDidChangeCount: counted.event,
    onDidFailWrite: failed.event,
    [Symbol.dispose]: () => served?.[Symbol.dispose](),
  };
}
