/** Parts of README.md for those who have the repository; what they speak of does not ship. */
export const repositorySections = ['From the repository', 'Without VS Code', 'Layout'];

/**
 * README.md for the extension's page in VS Code, which opens links and shows pictures of the web alone: it drops what is no `https:` address,
 * a file that ships or not, a `data:` picture too. Links become their words, pictures go.
 */
export const packedReadme = (markdown: string): string =>
  markdown
    .split(/^(?=## )/m)
    .filter(section => !repositorySections.some(title => section.startsWith(`## ${title}\n`)))
    .join('')
    .replaceAll(/!\[[^\][]*\]\((?!https:)[^)\s]+\)\n*/g, '')
    .replaceAll(/\[([^\][]*)\]\((?!https:|#)[^)\s]+\)/g, '$1');
