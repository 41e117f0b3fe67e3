/** Sections of README.md about the repository, which does not ship. */
export const repositorySections = ['From the repository', 'Without VS Code', 'Layout'];

/**
 * README.md for the extension's page in VS Code, which supports only `https:` links and images. Other links become plain text, and other images,
 * also `data:` images, are removed.
 */
export const packedReadme = (markdown: string): string =>
  markdown
    .split(/^(?=## )/m)
    .filter(section => !repositorySections.some(title => section.startsWith(`## ${title}\n`)))
    .join('')
    .replaceAll(/!\[[^\][]*\]\((?!https:)[^)\s]+\)\n*/g, '')
    .replaceAll(/\[([^\][]*)\]\((?!https:|#)[^)\s]+\)/g, '$1');
