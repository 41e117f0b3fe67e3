import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { isAtlasBridge, type OwnTurn, recordTurns } from '../../../scripts/bench/extension-host/record-turns.ts';
import { referenceTime, slownessOf } from '../../../scripts/bench/slowness.ts';

/** The first seconds of a window, which are always recorded. */
const MIN_RECORDED_MS = 10_000;
const REFERENCE_INTERVAL_MS = 100;

/** The answer of the command `atlasTurns.end`, which ends the recording. */
export interface RecordedTurns {
  readonly turns: readonly OwnTurn[];
  /** See `slownessOf`. */
  readonly slowness: number;
}

export function activate(context: vscode.ExtensionContext): void {
  if (process.env['ATLAS_RECORD_TURNS'] !== '1') return;
  const recording = record();
  context.subscriptions.push(vscode.commands.registerCommand('atlasTurns.end', async () => (await recording).end()));
}

async function record(): Promise<{ end(): Promise<RecordedTurns> }> {
  const began = performance.now();
  const recording = await recordTurns(isAtlasBridge);
  const references: number[] = [];
  const measuring = setInterval(() => references.push(referenceTime()), REFERENCE_INTERVAL_MS);
  return {
    async end() {
      await delay(Math.max(0, began + MIN_RECORDED_MS - performance.now()));
      clearInterval(measuring);
      return { turns: await recording.end(), slowness: slownessOf(references) };
    },
  };
}
