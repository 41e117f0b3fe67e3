import { AppError } from '../../../base/errors.ts';
import { findingsOf } from '../../../core/pluto/session/findings.ts';
import { PlutoSession, type SessionOptions, type SessionPorts } from '../../../core/pluto/session/pluto-session.ts';
import { unsavedEditsOf } from '../../../core/pluto/session/unsaved-edits.ts';
import type { ViewJournal } from '../../../core/pluto/session/views/view-journal.ts';
import { viewModulesOf } from '../../../core/pluto/session/views/view-modules.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ProgramRunner } from '../../../ports/program-runner.ts';
import type { OverrideRules } from '../../../protocol/override-policy.ts';
import { readPlutoResource } from '../../resources/pluto-resources.ts';
import { moduleTools } from '../pluto-catalog.ts';
import {
  answered,
  fromFailure,
  type ModulesThread,
  type Notice,
  type RuleValues,
  toFailure,
  valueOf,
} from './messages.ts';

export interface ModulesThreadPorts extends SessionPorts {
  readonly clock: Clock;
  readonly programs: ProgramRunner;
  readonly tell: (notice: Notice) => void;
}

/** The modules of a project and the tools that work on them, for somebody in another thread. */
export function createModulesThread(ports: ModulesThreadPorts, options: SessionOptions): ModulesThread {
  const { clock, programs, tell } = ports;
  const running = new Map<number, AbortController>();
  const keeping = new Map<number, PromiseWithResolvers<void>>();
  const tools = new Map(moduleTools.map(tool => [tool.listing.name, tool]));
  const opening = PlutoSession.open(ports, options, new AbortController().signal).then(pluto => {
    pluto.onDidChange(change => tell({ told: 'changed', change, dirty: pluto.dirty }));
    return { pluto, deps: { pluto, clock, programs }, views: viewModulesOf(pluto), unsaved: unsavedEditsOf(pluto) };
  });
  // Whoever asks first is told why.
  opening.catch(() => undefined);

  const cancellable = async <T>(call: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const abort = new AbortController();
    running.set(call, abort);
    try {
      return await work(abort.signal);
    } finally {
      running.delete(call);
    }
  };
  const journalOf = ({ call, isKept }: { readonly call: number; readonly isKept: boolean }): ViewJournal | undefined =>
    isKept
      ? {
          async keep({ view, path, changes, file: { bytes } }, module) {
            const kept = Promise.withResolvers<void>();
            keeping.set(call, kept);
            tell({ told: 'keep', call, look: { view, path, changes, file: { bytes } }, module: module.bytes });
            await kept.promise;
          },
        }
      : undefined;
  return {
    opened: () => answered(async () => ({ modules: (await opening).pluto.files.length })),
    async call({ call, name, rawArguments, requestedBy, hasProgress }) {
      const tool = tools.get(name);
      if (tool === undefined) throw new Error(`there is no tool ${name}`);
      const { deps } = await opening;
      const progress = hasProgress ? (message: string) => tell({ told: 'progress', call, message }) : undefined;
      return cancellable(call, signal => tool.call(deps, rawArguments, { signal, requestedBy, progress }));
    },
    resource: ({ uri }) => answered(async () => readPlutoResource((await opening).pluto, uri)),
    unsaved: ({ path }) => answered(async () => (await opening).unsaved.module(path)),
    save: ({ call, paths }) =>
      answered(async () => {
        const { unsaved } = await opening;
        const results = await cancellable(call, signal => unsaved.save(paths, signal));
        return results.map(one =>
          one.kind === 'saved' ? one : { path: one.path, kind: one.kind, failure: toFailure(one.error) },
        );
      }),
    findings: ({ call, paths }) =>
      answered(async () => {
        const { pluto } = await opening;
        return cancellable(call, signal => findingsOf(pluto, signal, paths));
      }),
    refresh: ({ paths }) => answered(async () => (await opening).pluto.refresh(new AbortController().signal, paths)),
    look: ({ call, request }) =>
      answered(async () => {
        const { views } = await opening;
        return cancellable(call, signal => views.look({ ...request, rules: rulesOf(request.rules) }, signal));
      }),
    sync: ({ request, ...wish }) =>
      answered(async () => {
        const { views } = await opening;
        const asked = { ...request, rules: rulesOf(request.rules) };
        return cancellable(wish.call, signal => views.sync(asked, signal, journalOf(wish)));
      }),
    writeInto: ({ seen, change, ...wish }) =>
      answered(async () => (await opening).views.writeInto(seen, change, journalOf(wish))),
    kept({ call, outcome }) {
      const kept = keeping.get(call);
      keeping.delete(call);
      try {
        kept?.resolve(valueOf(outcome));
      } catch (error) {
        kept?.reject(AppError.from(error));
      }
    },
    cancel: ({ call, reason }) => running.get(call)?.abort(fromFailure(reason)),
  };
}

const rulesOf = (values: RuleValues | undefined): OverrideRules | undefined =>
  values && {
    overridesApproval: () => values.overridesApproval,
    overridesRequirePrecondition: () => values.overridesRequirePrecondition,
  };
