import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { threadCpuTime } from '../../../scripts/bench/cpu-time.ts';
import { recordTurns, type OwnTurn } from './record-turns.ts';

/** The first seconds of a window, which are always recorded. */
const MIN_RECORDED_MS = 10_000;
const REFERENCE_INTERVAL_MS = 100;
/** CPU time of the reference on the machine of the promises while it is idle. */
const REFERENCE_MS = 0.61;
const reference = JSON.stringify(
  Array.from({ length: 2000 }, (_, id) => ({ id, name: `Script${id}`, path: ['ReplicatedStorage', `Part${id}`] })),
);

/** The answer of the command `atlasTurns.end`, which ends the recording. */
export interface RecordedTurns {
  readonly turns: readonly OwnTurn[];
  /**
   * How many times the CPU time that fixed work took meanwhile, in one of ten cases, exceeds that of an idle machine; at least 1. Programs that
   * share a core and its caches make each other slower.
   */
  readonly slowness: number;
}

export function activate(context: vscode.ExtensionContext): void {
  if (process.env['ATLAS_RECORD_TURNS'] !== '1') return;
  const recording = record();
  context.subscriptions.push(vscode.commands.registerCommand('atlasTurns.end', async () => (await recording).end()));
}

async function record(): Promise<{ end(): Promise<RecordedTurns> }> {
  const began = performance.now();
  const recording = await recordTurns(url => url.includes('atlas-bridge.atlas-bridge-'));
  const references: number[] = [];
  const measuring = setInterval(() => references.push(referenceTime()), REFERENCE_INTERVAL_MS);
  return {
    async end() {
      await delay(Math.max(0, began + MIN_RECORDED_MS - performance.now()));
      clearInterval(measuring);
      const slow = references.toSorted((a, b) => a - b)[Math.floor(references.length * 0.9)] ?? 0;
      return { turns: await recording.end(), slowness: Math.max(1, slow / REFERENCE_MS) };
    },
  };
}

function referenceTime(): number {
  const from = threadCpuTime();
  JSON.parse(reference);
  return threadCpuTime() - from;
}
