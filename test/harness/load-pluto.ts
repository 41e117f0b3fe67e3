import { nodeClock as clock } from '../../src/adapters/node/clock.ts';
import { createProgramRunner } from '../../src/pluto/program/host/program-runner.ts';
import { replyTo } from '../../src/base/worker-rpc.ts';
import type { RunningModules, StartModules } from '../../src/pluto/tools/worker/asked-modules.ts';
import { createModulesThread } from '../../src/pluto/tools/worker/modules-thread.ts';
import { openPlutoApart } from '../../src/pluto/tools/worker/open-pluto-apart.ts';
import { type BridgePlutoPorts, openPluto } from '../../src/pluto/tools/open-pluto.ts';
import type { LoadPluto } from '../../src/pluto/tools/pluto-slot.ts';

const programsIn = ({ files }: Pick<BridgePlutoPorts, 'files'>) =>
  createProgramRunner({ folder: files.root, environment: process.env, startedBy: 'agent' });

/** As the CLI has it. */
export const loadPluto: LoadPluto = () =>
  Promise.resolve((ports, options, signal) => openPluto({ ...ports, programs: programsIn(ports) }, options, signal));

/** As the extension has it: nothing is shared, and everything comes later. In this thread, so that files may be in memory. */
export const loadPlutoApart: LoadPluto = () =>
  Promise.resolve((ports, { version }) => openPlutoApart(ports, startApart(ports, version)));

/** @param onStart sees what is started, and may end it */
export const startApart =
  (
    ports: Pick<BridgePlutoPorts, 'files' | 'hasher' | 'random'>,
    version: string,
    onStart?: (end: (error: Error) => void) => void,
  ): StartModules =>
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
    const modules = createModulesThread(
      {
        files,
        hasher,
        random,
        clock,
        programs: programsIn(ports),
        tell(notice) {
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
      ask: ask as RunningModules['ask'],
      [Symbol.dispose]: () => ended.reject(new Error('stopped')),
    };
  };
