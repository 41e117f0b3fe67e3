/** The part of `package.json` that only a release needs. */
export interface ReleaseManifest extends PageManifest {
  readonly repository?: { readonly url?: string };
  readonly bugs?: { readonly url?: string };
  readonly homepage?: string;
  readonly sponsor?: { readonly url?: string };
}

/**
 * The fields that a release must fill in: those that are missing, or that still have the placeholder, whose host ends in `.invalid`. The
 * Marketplace and Open VSX show them as links.
 */
export function placeholderFields({ repository, bugs, homepage, sponsor }: ReleaseManifest): readonly string[] {
  const urls = { repository: repository?.url, bugs: bugs?.url, homepage, sponsor: sponsor?.url };
  return Object.entries(urls).flatMap(([name, url]) => (url !== undefined && isReal(url) ? [] : [name]));
}

/** The part of `package.json` that the pages of the Marketplace and Open VSX show. */
interface PageManifest {
  readonly displayName?: string;
  readonly icon?: string;
  readonly galleryBanner?: { readonly color?: string; readonly theme?: string };
  readonly categories?: readonly string[];
  readonly keywords?: readonly string[];
  readonly extensionKind?: readonly string[];
  readonly license?: string;
}

/** The categories of the Marketplace; others are ignored. */
const CATEGORIES: ReadonlySet<string> = new Set([
  'AI',
  'Azure',
  'Chat',
  'Data Science',
  'Debuggers',
  'Education',
  'Extension Packs',
  'Formatters',
  'Keymaps',
  'Language Packs',
  'Linters',
  'Machine Learning',
  'Notebooks',
  'Other',
  'Programming Languages',
  'SCM Providers',
  'Snippets',
  'Testing',
  'Themes',
  'Visualization',
]);
const MIN_ICON_PIXELS = 128;
const MAX_KEYWORDS = 30;

/**
 * The fields that the pages of the extension would show wrongly or not at all.
 *
 * @param readIcon returns the bytes of the icon; `undefined` if there is no such file
 */
export function pageProblems(
  manifest: PageManifest,
  readIcon: (file: string) => Uint8Array | undefined,
): readonly string[] {
  const { displayName = '', galleryBanner, categories = [], keywords = [], extensionKind = [], license } = manifest;
  const unknown = categories.filter(category => !CATEGORIES.has(category));
  const problems = {
    displayName: displayName === '',
    icon: !isLargePng(manifest.icon === undefined ? undefined : readIcon(manifest.icon)),
    galleryBanner:
      !/^#[0-9a-f]{6}$/.test(galleryBanner?.color ?? '') || !['dark', 'light'].includes(galleryBanner?.theme ?? ''),
    categories: categories.length === 0 || unknown.length > 0,
    keywords: keywords.length === 0 || keywords.length > MAX_KEYWORDS,
    extensionKind: extensionKind.length === 0,
    license: license === undefined,
  };
  return Object.entries(problems).flatMap(([name, isProblem]) => (isProblem ? [name] : []));
}

/** Whether the bytes are a square PNG of the size that the Marketplace requires. */
function isLargePng(bytes: Uint8Array | undefined): boolean {
  const header = Buffer.from(bytes?.subarray(0, 24) ?? []);
  if (header.length < 24 || header.toString('latin1', 1, 4) !== 'PNG') return false;
  const width = header.readUInt32BE(16);
  return width >= MIN_ICON_PIXELS && width === header.readUInt32BE(20);
}

const isReal = (url: string): boolean =>
  URL.canParse(url) && new URL(url).protocol === 'https:' && !new URL(url).hostname.endsWith('.invalid');
