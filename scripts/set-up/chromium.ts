import { installDebianPackages } from './debian.ts';
import { findOnPath } from './find-on-path.ts';

// The first one has no window and takes a quarter less CPU time than the others.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The path of Chromium: CHROMIUM_PATH, or else the first one on the PATH. */
function findChromium(): string | undefined {
  return process.env['CHROMIUM_PATH'] ?? names.map(name => findOnPath(name)).find(path => path !== undefined);
}

/** Installs Debian's Chromium if none is found. @throws Error with the command to run, if not permitted to install packages */
export async function ensureChromium(): Promise<string> {
  const found = findChromium();
  if (found !== undefined) return found;
  await installDebianPackages(
    ['chromium-headless-shell', 'fonts-liberation'],
    'The browser tests need Chromium: install it, or set CHROMIUM_PATH.',
  );
  const installed = findChromium();
  if (installed === undefined) throw new Error('Chromium was installed, but none is on the PATH. Set CHROMIUM_PATH.');
  return installed;
}
