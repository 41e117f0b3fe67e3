import type { Hasher } from '../../ports/hasher.ts';
import type { RunChange } from '../changes/run-change.ts';

/** Equal for two changes only if a person would see the same on both sides in any session; excludes ids. 64 hex digits. */
export function reviewFingerprint({ studio, diskHash, fsPath }: RunChange, hasher: Hasher): string {
  const properties = Object.entries(studio.properties ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const seen = [
    [studio.path, studio.className, studio.patchType, fsPath],
    [studio.studioHash, studio.draftHash, diskHash, studio.sourceDiffers, studio.subtree?.hash],
    properties,
  ];
  return hasher.sha256(JSON.stringify(seen));
}
