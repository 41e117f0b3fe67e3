/** Why a hit stands where it stands, in one word. */
export type Why = 'name' | 'heading' | 'phrase' | 'symbol' | 'text';

export interface Ranking {
  readonly score: number;
  readonly why: Why;
}

/** The words of a query, lower case, each once. */
export const wordsOf = (query: string): readonly string[] => [
  ...new Set(
    query
      .toLowerCase()
      .split(/\s+/)
      .filter(word => word !== ''),
  ),
];

const weights: Readonly<Record<Why, number>> = { name: 60, heading: 50, phrase: 30, symbol: 40, text: 10 };
/** For each word of the query that is there, shared among them. */
const COVERAGE = 100;
const IN_PATH = 8;

const headingFile = /\.(?:md|mdx|markdown|txt|rst|adoc)$/i;
const heading = /^\s{0,3}(?:#{1,6}|={1,6})\s+\S/;
const declaration =
  /^\s*(?:(?:export|default|declare|local|public|private|protected|static|abstract|async|pub|final|override)\s+)*(?:function|class|interface|type|enum|struct|trait|impl|def|fn|func|const|let|var|val|module|namespace|record|macro)\s+([\w.:$]+)/;
const assignedFunction = /^\s*([\w.:$]+)\s*=\s*(?:async\s+)?function\b/;

/**
 * How well a line answers the query. Whole numbers only, so that equal lines tie everywhere.
 *
 * @param text the line; `undefined`: too long to look at
 */
export function rankLine(words: readonly string[], path: string, text: string | undefined): Ranking {
  const line = text?.toLowerCase() ?? '';
  const covered = text === undefined ? 1 : Math.max(1, words.filter(word => line.includes(word)).length);
  const inPath = words.filter(word => path.toLowerCase().includes(word)).length;
  const why = text === undefined ? 'text' : whyOf(words, path, text, line);
  return { why, score: weights[why] + Math.round((COVERAGE * covered) / words.length) + IN_PATH * inPath };
}

function whyOf(words: readonly string[], path: string, text: string, line: string): Why {
  if (headingFile.test(path) && heading.test(text)) return 'heading';
  const name = (declaration.exec(text) ?? assignedFunction.exec(text))?.[1]?.toLowerCase();
  if (name !== undefined && words.some(word => name.includes(word))) return 'symbol';
  return words.length > 1 && line.includes(words.join(' ')) ? 'phrase' : 'text';
}

/** How well the name of a file answers it; `undefined`: not at all. */
export function rankName(words: readonly string[], path: string): Ranking | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const covered = words.filter(word => name.includes(word)).length;
  if (covered === 0) return undefined;
  const inPath = words.filter(word => path.toLowerCase().includes(word)).length;
  const stem = name.replace(/\.[^.]*$/, '');
  const isWhole = stem === words.join('-') || stem === words.join('_') || stem === words.join('');
  return {
    why: 'name',
    score: weights.name + Math.round((COVERAGE * covered) / words.length) + IN_PATH * inPath + (isWhole ? 40 : 0),
  };
}
