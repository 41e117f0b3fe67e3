import { nodeClock as clock } from '../../src/adapters/node/clock.ts';
import { createProgramRunner } from '../../src/pluto/program/host/program-runner.ts';
import { handleRpcRequest } from '../../src/base/worker-rpc.ts';
import type { ModulesWorker, StartModulesWorker } from '../../src/pluto/tools/worker/modules-client.ts';
import { createModulesRpc } from '../../src/pluto/tools/worker/modules-rpc.ts';
import { openWorkerToolset } from '../../src/pluto/tools/worker/open-worker-toolset.ts';
import { openPlutoToolset } from '../../src/pluto/tools/open-toolset.ts';
import type { LoadPlutoToolset, ToolsetHost } from '../../src/pluto/tools/pluto-toolset.ts';

const programsIn = ({ files }: Pick<ToolsetHost, 'files'>) =>
  createProgramRunner({ folder: files.root, environment: process.env, startedBy: 'agent' });

/** Loads Pluto as the CLI does. */
export const loadPlutoToolset: LoadPlutoToolset = () =>
  Promise.resolve((ports, options, signal) =>
    openPlutoToolset({ ...ports, programs: programsIn(ports) }, options, signal),
  );

/** Loads Pluto as the extension does, with copied messages and asynchronous answers, but in this thread, so that files can be in memory. */
export const loadWorkerToolset: LoadPlutoToolset = () =>
  Promise.resolve((ports, { version }) => openWorkerToolset(ports, startModulesInThisThread(ports, version)));

/** @param onStart receives each started worker and may end it */
export const startModulesInThisThread =
  (
    ports: Pick<ToolsetHost, 'files' | 'hasher' | 'random' | 'transactions'>,
    version: string,
    onStart?: (end: (error: Error) => void) => void,
  ): StartModulesWorker =>
  (onNotice, onFailure) => {
    const ended = Promise.withResolvers<never>();
    ended.promise.catch(() => undefined);
    onStart?.(error => {
      ended.reject(error);
      onFailure(error);
    });
    // In order, as between threads.
    let last: Promise<unknown> = Promise.resolve();
    const later = (deliver: () => void): void => void (last = last.then(deliver));
    const { files, hasher, random } = ports;
    const modules = createModulesRpc(
      {
        files,
        hasher,
        random,
        hasTransactions: ports.transactions !== undefined,
        clock,
        programs: programsIn(ports),
        notify(notice) {
          const cloned = structuredClone(notice);
          later(() => onNotice(cloned));
        },
      },
      { tool: { name: 'atlas-bridge', version } },
    );
    const ask = async (name: string, args: unknown): Promise<unknown> => {
      const reply = structuredClone(
        await Promise.race([handleRpcRequest({ id: 0, name, args: structuredClone(args) }, modules), ended.promise]),
      );
      return new Promise((resolve, reject) =>
        later(() => (reply.ok ? resolve(reply.answer) : reject(new Error(reply.message)))),
      );
    };
    return {
      // `ModulesThread` pairs names with arguments and answers.
      ask: ask as ModulesWorker['ask'],
      [Symbol.dispose]: () => ended.reject(new Error('stopped')),
    };
  };
