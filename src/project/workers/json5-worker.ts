/** The thread that reads JSON5 documents while they are typed: a large one must not hold up the extension host. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { type RpcRequest, handleRpcRequest } from '../../base/worker-rpc.ts';
import { createJson5Language, type Json5ThreadOptions, schemaFiles } from '../../roblox/formats/json5-language.ts';
import type { JsonSchema } from '../../roblox/formats/json-schema.ts';

// Whoever starts the thread gives it these.
const { schemas } = workerData as Json5ThreadOptions;
// Ours, written by our own script.
const read = (name: string): JsonSchema => JSON.parse(readFileSync(join(schemas, name), 'utf8')) as JsonSchema;
const language = createJson5Language(new Map(schemaFiles.map(name => [name, read(name)])));

parentPort?.on('message', (question: RpcRequest) => {
  void handleRpcRequest(question, language).then(reply => parentPort?.postMessage(reply));
});
