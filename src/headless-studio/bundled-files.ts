import { fileURLToPath } from 'node:url';
import { isBundled } from '../base/is-bundled.ts';
import type { HeadlessStudioOptions } from './headless-studio.ts';

/** The files of headless Studio: beside the bundle, or in the source. */
export function bundledFiles(): Pick<HeadlessStudioOptions, 'luauFolders' | 'worker' | 'reflectionFile'> {
  const at = (path: string): URL => new URL(path, import.meta.url);
  const [worker, plugin, headless, reflection] = isBundled(import.meta.url)
    ? ['./headless-worker.js', './luau/plugin', './luau/headless', './reflection.json']
    : ['./worker.ts', '../../studio-plugin/src', './luau', '../roblox/instances/reflection.generated.json'];
  return {
    worker: at(worker),
    luauFolders: { plugin: fileURLToPath(at(plugin)), headless: fileURLToPath(at(headless)) },
    reflectionFile: fileURLToPath(at(reflection)),
  };
}
