import type { ProjectSession } from '../../src/project/project-session.ts';

/** Changes disk, and has the project read that, right before the next plan of files: after what the caller of the plan has checked. */
export function beforePlan(session: ProjectSession | undefined, change: () => void): void {
  if (session === undefined) throw new Error('there is no project');
  const plan = session.planPulls.bind(session);
  session.planPulls = async (requests, signal) => {
    session.planPulls = plan;
    change();
    await session.refresh(signal);
    return plan(requests, signal);
  };
}
