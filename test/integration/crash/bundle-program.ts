import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Bundles a program of this folder with its packages, and resolves with the path of the bundle, which starts much faster than hundreds of
 * modules. Its folder is as deep as `test/harness`, because modules resolve files of the source relative to theirs.
 */
export async function bundleProgram(source: URL): Promise<string> {
  const entry = fileURLToPath(source);
  const program = fileURLToPath(new URL(`../../../out/test/${basename(entry, '.ts')}.mjs`, import.meta.url));
  await build({
    entryPoints: [entry],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // Packages in the older module format call it.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'silent',
  });
  return program;
}
