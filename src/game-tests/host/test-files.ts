import { fileURLToPath } from 'node:url';
import { isBundled } from '../../base/is-bundled.ts';
import type { TestThreadOptions } from '../workers/test-messages.ts';

/** The files that run tests: beside the bundle, or in the source. */
export function testProgram(): {
  readonly worker: URL;
  readonly folders: Pick<TestThreadOptions, 'headlessFolder' | 'testsFolder' | 'reflectionFile'>;
} {
  const at = (path: string): URL => new URL(path, import.meta.url);
  const [worker, headless, tests, reflection] = isBundled(import.meta.url)
    ? ['./game-test-worker.js', './luau/headless', './luau/tests', './reflection.json']
    : [
        '../workers/test-worker.ts',
        '../../headless-studio/luau',
        '../luau',
        '../../roblox/instances/reflection.generated.json',
      ];
  return {
    worker: at(worker),
    folders: {
      headlessFolder: fileURLToPath(at(headless)),
      testsFolder: fileURLToPath(at(tests)),
      reflectionFile: fileURLToPath(at(reflection)),
    },
  };
}
