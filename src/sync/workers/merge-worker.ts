/** Worker thread that merges scripts and compiles the results: neither can be divided into short steps. */
import { parentPort } from 'node:worker_threads';
import { loadOnce } from '../../base/load-once.ts';
import { handleRpcRequest, type RpcRequest } from '../../base/worker-rpc.ts';
import { startLuauMachine } from '../../headless-studio/luau-wasm.ts';
import type { CheckedMerge, ScriptMerger, ScriptTexts } from '../../ports/script-merger.ts';
import { mergeTexts } from '../merge/merge-texts.ts';

/** 64 KiB each; a compiled script of a megabyte takes 10 MB. */
const MEMORY_PAGES = 2000;
const started = loadOnce(() => startLuauMachine(MEMORY_PAGES));

/** Compiles and never runs: the compiled function is released at once. */
async function compileProblem(text: string): Promise<string | undefined> {
  // The VM's texts end at the first NUL.
  if (text.includes('\0')) return 'the text contains a NUL character';
  const luau = await started();
  const compiled = luau.compile(text, '=merge');
  if (!compiled.ok) return compiled.message.replace(/^merge:/, 'line ');
  const [chunk] = compiled.values;
  if (typeof chunk === 'object') luau.release(chunk);
  return undefined;
}

async function merge(texts: ScriptTexts): Promise<CheckedMerge> {
  const merged = mergeTexts(texts);
  return merged.conflicts.length > 0 ? merged : { ...merged, problem: await compileProblem(merged.text) };
}

const methods: ScriptMerger = { merge, compileProblem };

parentPort?.on('message', (request: RpcRequest) => {
  void handleRpcRequest(request, methods).then(reply => parentPort?.postMessage(reply));
});
