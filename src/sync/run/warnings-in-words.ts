import type { Comparison } from './compare.ts';
import { brokenFilesInWords } from './broken-files.ts';
import { unreadableInWords } from './unreadable.ts';

/** What the changes of a comparison do not speak of: one sentence each. */
export const warningsInWords = ({ compared, problems }: Comparison): readonly string[] => [
  ...unreadableInWords(compared.unreadable ?? []),
  ...brokenFilesInWords(problems),
];
