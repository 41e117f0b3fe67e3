/** Sections of README.md about the repository, which does not ship. */
export const repositorySections = ['From the repository', 'Without VS Code', 'Layout'];

/**
 * README.md for the package. VS Code's page of an extension and the Marketplace show only `https:` links and images (VS Code 1.139 removes
 * every other address of an image: relative, `data:`, `file:`, `srcset`, an inline SVG), so other links become plain text. Pictures are in
 * the package: VS Code shows them in its Markdown preview, and on its page of the extension if `pictures` is given; otherwise that page
 * shows their descriptions.
 *
 * @param pictures the web address of the repository's files at this version, ending in `/`
 */
export const packedReadme = (markdown: string, pictures = ''): string =>
  markdown
    .split(/^(?=## )/m)
    .filter(section => !repositorySections.some(title => section.startsWith(`## ${title}\n`)))
    .join('')
    .replaceAll(/(!\[[^\][]*\]\()(?!https:)([^)\s]+\))/g, `$1${pictures}$2`)
    .replaceAll(/(?<!!)\[([^\][]*)\]\((?!https:|#)[^)\s]+\)/g, '$1');

/** The address of the repository's files at a version; `undefined` without a published repository, or with an unknown host. */
export function picturesAddress(repository: string | undefined, version: string): string | undefined {
  const [, path] = /^(?:git\+)?https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(repository ?? '') ?? [];
  return path === undefined ? undefined : `https://github.com/${path}/raw/v${version}/`;
}
