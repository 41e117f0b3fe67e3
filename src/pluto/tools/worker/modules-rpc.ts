import { AppError } from '../../../base/errors.ts';
import { findingsOf } from '../../session/findings.ts';
import { PlutoSession, type SessionOptions, type SessionPorts } from '../../session/pluto-session.ts';
import { type UnsavedEdits, unsavedEditsOf } from '../../session/unsaved-edits.ts';
import type { ViewJournal } from '../../session/views/view-journal.ts';
import { type ViewModules, viewModulesOf } from '../../session/views/view-modules.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ProgramRunner } from '../../ports/program-runner.ts';
import type { OverrideRules } from '../../../protocol/override-policy.ts';
import { createRemoteTransactions } from './remote-transactions.ts';
import { readPlutoResource } from '../pluto-resources.ts';
import { moduleTools } from '../pluto-catalog.ts';
import {
  toAnswer,
  fromFailure,
  type ModulesRpc,
  type Notice,
  type OverrideRuleValues,
  toFailure,
  valueOf,
} from './messages.ts';

export interface ModulesRpcPorts extends Omit<SessionPorts, 'transactions'> {
  readonly hasTransactions: boolean;
  readonly clock: Clock;
  readonly programs: ProgramRunner;
  readonly notify: (notice: Notice) => void;
}

interface OpenedModules {
  readonly pluto: PlutoSession;
  readonly views: ViewModules;
  readonly unsaved: UnsavedEdits;
}

/** Holds the modules of a project and runs the tools on them, for a client in another thread. */
export function createModulesRpc(ports: ModulesRpcPorts, options: SessionOptions): ModulesRpc {
  const { clock, programs, notify, hasTransactions } = ports;
  const running = new Map<number, { readonly abort: AbortController; readonly result: Promise<unknown> }>();
  const recording = new Map<number, PromiseWithResolvers<void>>();
  const transactions = hasTransactions ? createRemoteTransactions(notify) : undefined;
  const tools = new Map(moduleTools.map(tool => [tool.listing.name, tool]));
  const opening = PlutoSession.open({ ...ports, transactions }, options, new AbortController().signal).then(
    (pluto): OpenedModules => {
      pluto.onDidChange(change => notify({ kind: 'changed', change, dirty: pluto.dirty }));
      return { pluto, views: viewModulesOf(pluto), unsaved: unsavedEditsOf(pluto) };
    },
  );
  // The first call reports the failure.
  opening.catch(() => undefined);

  /** Registers the call before the modules are open, so that a cancellation always finds it. */
  const during = <T>(call: number, work: (opened: OpenedModules, signal: AbortSignal) => Promise<T>): Promise<T> => {
    const abort = new AbortController();
    const result = opening.then(opened => work(opened, abort.signal));
    running.set(call, { abort, result });
    const end = (): void => void running.delete(call);
    result.then(end, end);
    return result;
  };
  const journalOf = ({
    call,
    isRecorded,
  }: {
    readonly call: number;
    readonly isRecorded: boolean;
  }): ViewJournal | undefined =>
    isRecorded
      ? {
          async record({ view, path, changes, file: { bytes }, whole }, module) {
            const pending = Promise.withResolvers<void>();
            recording.set(call, pending);
            notify({
              kind: 'record',
              call,
              snapshot: { view, path, changes, file: { bytes }, whole },
              module: module.bytes,
            });
            await pending.promise;
          },
        }
      : undefined;
  return {
    opened: () => toAnswer(async () => ({ modules: (await opening).pluto.files.length })),
    async call({ call, name, rawArguments, requestedBy, hasProgress }) {
      const tool = tools.get(name);
      if (tool === undefined) throw new Error(`unknown tool ${name}`);
      const progress = hasProgress ? (message: string) => notify({ kind: 'progress', call, message }) : undefined;
      return during(call, ({ pluto }, signal) =>
        tool.call({ pluto, clock, programs }, rawArguments, { signal, requestedBy, progress }),
      );
    },
    resource: ({ uri }) => toAnswer(async () => readPlutoResource((await opening).pluto, uri)),
    unsaved: ({ path }) => toAnswer(async () => (await opening).unsaved.module(path)),
    save: ({ call, paths }) =>
      toAnswer(async () => {
        const results = await during(call, ({ unsaved }, signal) => unsaved.save(paths, signal));
        return results.map(one =>
          one.kind === 'saved' ? one : { path: one.path, kind: one.kind, failure: toFailure(one.error) },
        );
      }),
    findings: ({ call }) => toAnswer(() => during(call, ({ pluto }, signal) => findingsOf(pluto, signal))),
    refresh: ({ paths }) => toAnswer(async () => (await opening).pluto.refresh(new AbortController().signal, paths)),
    compare: ({ call, request }) =>
      toAnswer(() =>
        during(call, ({ views }, signal) => views.compare({ ...request, rules: rulesOf(request.rules) }, signal)),
      ),
    sync: ({ request, ...call }) =>
      toAnswer(() =>
        during(call.call, ({ views }, signal) =>
          views.sync({ ...request, rules: rulesOf(request.rules) }, signal, journalOf(call)),
        ),
      ),
    writeInto: ({ compared, merged, ...call }) =>
      toAnswer(() => during(call.call, ({ views }) => views.writeInto(compared, merged, journalOf(call)))),
    checkMerge: ({ compared, merged, call }) =>
      toAnswer(() => during(call, ({ views }) => views.checkMerge(compared, merged))),
    recorded({ call, outcome }) {
      const pending = recording.get(call);
      recording.delete(call);
      try {
        pending?.resolve(valueOf(outcome));
      } catch (error) {
        pending?.reject(AppError.from(error));
      }
    },
    begun: answer => transactions?.begun(answer),
    cancel: ({ call, reason }) => running.get(call)?.abort.abort(fromFailure(reason)),
    settled: async () => void (await Promise.allSettled(Array.from(running.values(), ({ result }) => result))),
  };
}

const rulesOf = (values: OverrideRuleValues | undefined): OverrideRules | undefined =>
  values && {
    overridesApproval: () => values.overridesApproval,
    overridesRequirePrecondition: () => values.overridesRequirePrecondition,
  };
