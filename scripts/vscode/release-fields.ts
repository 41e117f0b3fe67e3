/** The part of `package.json` that only a release needs. */
export interface ReleaseManifest {
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

const isReal = (url: string): boolean =>
  URL.canParse(url) && new URL(url).protocol === 'https:' && !new URL(url).hostname.endsWith('.invalid');
