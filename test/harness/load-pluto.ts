import { nodeClock as clock } from '../../src/adapters/node/clock.ts';
import { createProgramRunner } from '../../src/pluto/program/host/program-runner.ts';
import { replyTo } from '../../src/base/worker-rpc.ts';
import type { ModulesWorker, StartModulesWorker } from '../../src/pluto/tools/worker/modules-client.ts';
import { createModulesRpc } from '../../src/pluto/tools/worker/modules-rpc.ts';
import { openWorkerToolset } from '../../src/pluto/tools/worker/open-worker-toolset.ts';
import { openPlutoToolset } from '../../src/pluto/tools/open-toolset.ts';
import type { LoadPlutoToolset, ToolsetHost } from '../../src/pluto/tools/pluto-toolset.ts';

const programsIn = ({ files }: Pick<ToolsetHost, 'files'>) =>
  createProgramRunner({ folder: files.root, environment: process.env, startedBy: 'agent' });

/** As the CLI has it. */
export const loadPlutoToolset: LoadPlutoToolset = () =>
  Promise.resolve((ports, options, signal) =>
    openPlutoToolset({ ...ports, programs: programsIn(ports) }, options, signal),
  );

/** As the extension has it: nothing is shared, and everything comes later. In this thread, so that files may be in memory. */
export const loadWorkerToolset: LoadPlutoToolset = () =>
  Promise.resolve((ports, { version }) => openWorkerToolset(ports, startModulesInThisThread(ports, version)));

/** @param onStart sees what is started, and may end it */
export const startModulesInThisThread =
  (
    ports: Pick<ToolsetHost, 'files' | 'hasher' | 'random'>,
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
    // One after another, as between threads.
    let last: Promise<unknown> = Promise.resolve();
    const later = (tell: () => void): void => void (last = last.then(tell));
    const { files, hasher, random } = ports;
    const modules = createModulesRpc(
      {
        files,
        hasher,
        random,
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
        await Promise.race([replyTo({ id: 0, name, args: structuredClone(args) }, modules), ended.promise]),
      );
      return new Promise((resolve, reject) =>
        later(() => (reply.ok ? resolve(reply.answer) : reject(new Error(reply.message)))),
      );
    };
    return {
      // The pairing of name, argument and answer is that of `ModulesThread`.
      ask: ask as ModulesWorker['ask'],
      [Symbol.dispose]: () => ended.reject(new Error('stopped')),
    };
  };
